#include "core/monitor/spike_detector.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/monitor/baseline.h"

namespace faultline {
namespace {

// A program that starts touches its memory for the first time; that is no spike, else a build would be a thousand.
constexpr Nanoseconds kStartUp = std::chrono::seconds(3);
constexpr std::uint32_t kFewestSamples = 8;  // before there is a past to stand out from

// The least faults of a burst must come within this time, or it is a trickle.
constexpr Nanoseconds kBurst = std::chrono::seconds(2);

// Hysteresis: a burst ends when the rate stays below this share of what begins one for so long.
constexpr double kExitShare = 0.5;
constexpr Nanoseconds kQuiet = std::chrono::seconds(1);

struct Rule {
  double absolute;
  double floor;  // rates below never stand out
  std::uint64_t least;
};

// One metric of one process.
struct Watch {
  explicit Watch(std::uint32_t zeros) : baseline(zeros), samples(zeros) {}

  Baseline baseline;
  std::uint32_t samples;
  std::optional<Spike> burst;
  std::uint64_t sinceEnd = 0;  // faults after the last sample that stood out
};

// Kept only for processes that had a fault within SpikeOptions::memory.
struct Watched {
  Watched(MonotonicTime at, std::uint32_t zeros) : known(at), active(at), watches{Watch(zeros), Watch(zeros)} {}

  MonotonicTime known;  // since when it is seen
  MonotonicTime active;
  std::array<Watch, 2> watches;
};

constexpr std::array<ProcessMetric, 2> kMetrics{ProcessMetric::MinorFaults, ProcessMetric::MajorFaults};

}  // namespace

struct SpikeDetector::State {
  explicit State(const SpikeOptions& given) : options(given) {}

  void observe(const Moment& moment);
  void observe(const Moment& moment, const ProcessRow& row, Watched& watched);
  void observe(const Moment& moment, const ProcessRow& row, const Watched& watched, std::size_t which, Watch& watch);
  void loud(const Moment& moment, const ProcessRow& row, std::size_t which, std::uint64_t delta, double rate,
            Watch& watch);
  void close(Watch& watch);
  void close(Watched& process) {
    for (Watch& watch : process.watches) close(watch);
  }
  [[nodiscard]] Rule ruleFor(std::size_t which, Nanoseconds interval) const;

  SpikeOptions options;
  std::map<ProcessKey, Watched> watched;
  MonotonicTime began;  // of the stream
  std::uint32_t samples = 0;
  std::uint64_t lastId = 0;
  std::vector<Spike> changed;
};

Rule SpikeDetector::State::ruleFor(std::size_t which, Nanoseconds interval) const {
  const double seconds = std::chrono::duration<double>(std::max(kBurst, interval)).count();
  const std::uint64_t least = which == 0 ? options.leastFaults : options.leastMajorFaults;
  return {which == 0 ? options.minorPerSecond : options.majorPerSecond, static_cast<double>(least) / seconds, least};
}

void SpikeDetector::State::observe(const Moment& moment) {
  auto it = watched.begin();
  const auto forget = [&] {
    close(it->second);
    it = watched.erase(it);
  };
  for (const ProcessRow& row : moment.rows) {
    while (it != watched.end() && it->first < row.key) forget();
    const bool known = it != watched.end() && it->first == row.key;
    if (!known) {
      const bool active = row.deltas.get(kMetrics[0]).value_or(0) > 0 || row.deltas.get(kMetrics[1]).value_or(0) > 0;
      if (!active && !row.born) continue;
      it = watched.try_emplace(it, row.key, row.born ? moment.time : began, row.born ? 0 : samples);
    }
    observe(moment, row, it->second);
    if (moment.time - it->second.active > options.memory + kStartUp) forget();
    else ++it;
  }
  while (it != watched.end()) forget();
}

void SpikeDetector::State::observe(const Moment& moment, const ProcessRow& row, Watched& process) {
  for (std::size_t i = 0; i < kMetrics.size(); ++i) {
    observe(moment, row, process, i, process.watches[i]);
    if (row.deltas.get(kMetrics[i]).value_or(0) > 0) process.active = moment.time;
  }
}

void SpikeDetector::State::observe(const Moment& moment, const ProcessRow& row, const Watched& process,
                                   std::size_t which, Watch& watch) {
  const auto delta = row.deltas.get(kMetrics[which]);
  const auto rate = moment.perSecond(delta);
  if (!rate) return close(watch);
  const Rule rule = ruleFor(which, moment.interval);
  double enter = rule.absolute;
  if (*rate >= rule.floor * kExitShare && watch.samples >= kFewestSamples) {
    const double usual = watch.baseline.median();
    const double outstanding =
        std::max(usual * options.factor, usual + options.deviations * watch.baseline.deviation());
    enter = std::min(enter, std::max(rule.floor, outstanding));
  }
  const bool startingUp = moment.time - process.known < kStartUp;
  const bool standsOut = watch.burst ? *rate > enter * kExitShare : *rate > enter && !startingUp;
  if (standsOut) {
    loud(moment, row, which, *delta, *rate, watch);
  } else if (watch.burst) {
    watch.sinceEnd += *delta;
    if (moment.time - watch.burst->end >= kQuiet) close(watch);
  }
  watch.baseline.add(*rate, moment.time, options.memory);
  ++watch.samples;
}

void SpikeDetector::State::loud(const Moment& moment, const ProcessRow& row, std::size_t which, std::uint64_t delta,
                                double rate, Watch& watch) {
  if (!watch.burst) {
    Spike& begun = watch.burst.emplace();
    begun.key = row.key;
    begun.name = row.name;
    begun.metric = kMetrics[which];
    begun.start = moment.time - moment.interval;
    begun.wallStart = {moment.wallTime.sinceEpoch - moment.interval};
    begun.usualPerSecond = watch.baseline.median();
  }
  Spike& spike = *watch.burst;
  spike.end = moment.time;
  spike.faults += delta + std::exchange(watch.sinceEnd, 0);
  if (rate > spike.peakPerSecond) {
    spike.peakPerSecond = rate;
    spike.peakTime = moment.time;
  }
  if (spike.faults < ruleFor(which, moment.interval).least) return;
  if (spike.id == 0) spike.id = ++lastId;
  changed.push_back(spike);
}

void SpikeDetector::State::close(Watch& watch) {
  if (watch.burst && watch.burst->id != 0) {
    watch.burst->open = false;
    changed.push_back(std::move(*watch.burst));
  }
  watch.burst.reset();
  watch.sinceEnd = 0;
}

SpikeDetector::SpikeDetector(SpikeOptions options) : m_state(std::make_unique<State>(options)) {}
SpikeDetector::~SpikeDetector() = default;
SpikeDetector::SpikeDetector(SpikeDetector&&) noexcept = default;
SpikeDetector& SpikeDetector::operator=(SpikeDetector&&) noexcept = default;

void SpikeDetector::setOptions(const SpikeOptions& options) {
  m_state->options = options;
}

std::vector<Spike> SpikeDetector::add(const Moment& moment) {
  State& state = *m_state;
  state.changed.clear();
  if (moment.gap == Gap::None) {
    state.observe(moment);
    ++state.samples;
  } else {
    for (auto& [key, watched] : state.watched) state.close(watched);
    if (moment.gap == Gap::First) {
      state.watched.clear();
      state.began = moment.time;
      state.samples = 0;
    }
  }
  return std::exchange(state.changed, {});
}

}  // namespace faultline
