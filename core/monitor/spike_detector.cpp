#include "core/monitor/spike_detector.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/monitor/baseline.h"
#include "core/monitor/spike_bin.h"

namespace faultline {
namespace {

// A program that starts touches its memory for the first time; that is no spike, else a build would be a thousand.
// Ten seconds, since most compilers are gone by then and the others have a past to be judged by.
constexpr Nanoseconds kStartUp = std::chrono::seconds(10);

// A process that passes the absolute threshold all the time must pass so many times what is high for it.
constexpr double kHabit = 3;

constexpr std::uint32_t kFewestValues = 16;  // before there is a past to stand out from

// Samples are judged together until they make up so long: else a short interval turns every flurry into a high rate.
constexpr Nanoseconds kJudged = std::chrono::milliseconds(500);

// The least faults of a burst must come within this time, or it is a trickle.
constexpr Nanoseconds kBurst = std::chrono::seconds(2);

// A burst ends when the rate stays low for so long.
constexpr Nanoseconds kQuiet = std::chrono::seconds(1);

constexpr std::array<ProcessMetric, 2> kMetrics{ProcessMetric::MinorFaults, ProcessMetric::MajorFaults};

double seconds(Nanoseconds span) {
  return std::chrono::duration<double>(span).count();
}

struct Rule {
  double absolute = 0;
  double floor = 0;  // rates below never stand out from the past
  std::uint64_t least = 0;

  // A mean rate below which nothing can be a spike.
  [[nodiscard]] double lowest() const { return std::min(absolute, floor); }
};

// One metric of one process.
struct Watch {
  explicit Watch(std::uint32_t zeros) : baseline(zeros) {}

  Baseline baseline;
  SpikeBin bin;
  std::optional<Spike> burst;
  double burstEnter = 0;       // the rate that the burst had to pass
  std::uint64_t sinceEnd = 0;  // faults after the last sample that stood out
};

// Kept only for processes that had a fault within SpikeOptions::memory.
struct Watched {
  Watched(MonotonicTime at, MonotonicTime since, std::uint32_t zeros)
      : started(since), active(at), watches{Watch(zeros), Watch(zeros)} {}

  MonotonicTime started;  // long ago, unless its start was seen
  MonotonicTime active;
  std::array<Watch, 2> watches;
};

}  // namespace

struct SpikeDetector::State {
  explicit State(const SpikeOptions& given) : options(given) {}

  void observe(const Moment& moment);
  void observe(const Moment& moment, const ProcessRow& row, Watched& process);
  void observe(const Moment& moment, const ProcessRow& row, bool startingUp, std::size_t which, Watch& watch);
  [[nodiscard]] Watched unseen(const Moment& moment, const ProcessRow& row) const;
  [[nodiscard]] double enter(const Rule& rule, Watch& watch) const;
  void judge(const Moment& moment, const ProcessRow& row, bool startingUp, std::size_t which, Watch& watch);
  void grow(const Moment& moment, const ProcessRow& row, std::size_t which, Watch& watch);
  void extend(const Rule& rule, Watch& watch);
  void tell(const Spike& spike);
  void close(const Rule& rule, Watch& watch);
  void close(Watched& process) {
    for (std::size_t i = 0; i < kMetrics.size(); ++i) close(rules[i], process.watches[i]);
  }
  [[nodiscard]] Rule ruleFor(std::size_t which, Nanoseconds interval) const;

  SpikeOptions options;
  std::map<ProcessKey, Watched> watched;
  MonotonicTime began;  // of the stream
  std::uint32_t samples = 0;
  std::uint64_t lastId = 0;
  std::array<Rule, 2> rules;  // for the moment's interval
  std::vector<Spike> changed;
};

Rule SpikeDetector::State::ruleFor(std::size_t which, Nanoseconds interval) const {
  const std::uint64_t least = std::max<std::uint64_t>(which == 0 ? options.leastFaults : options.leastMajorFaults, 1);
  return {which == 0 ? options.minorPerSecond : options.majorPerSecond,
          static_cast<double>(least) / seconds(std::max(kBurst, interval)), least};
}

// It was there and idle, unless it was born just now.
Watched SpikeDetector::State::unseen(const Moment& moment, const ProcessRow& row) const {
  if (row.born) return {moment.time, moment.time, 0};
  const auto idle = (moment.time - began) / std::max(options.memory / Baseline::kValues, Nanoseconds(1));
  const auto zeros = std::min<std::int64_t>({idle, samples, Baseline::kValues});
  return {moment.time, moment.time - kStartUp, static_cast<std::uint32_t>(zeros)};
}

void SpikeDetector::State::observe(const Moment& moment) {
  for (std::size_t i = 0; i < rules.size(); ++i) rules[i] = ruleFor(i, moment.interval);
  auto it = watched.begin();
  const auto forget = [&] {
    close(it->second);
    it = watched.erase(it);
  };
  for (const ProcessRow& row : moment.rows) {
    while (it != watched.end() && it->first < row.key) forget();
    const bool known = it != watched.end() && it->first == row.key;
    const bool active = row.deltas.get(kMetrics[0]).value_or(0) > 0 || row.deltas.get(kMetrics[1]).value_or(0) > 0;
    if (!known && !active && !row.born) continue;
    if (!known) it = watched.emplace_hint(it, row.key, unseen(moment, row));
    if (active) it->second.active = moment.time;
    observe(moment, row, it->second);
    if (row.exited || moment.time - it->second.active > options.memory + kStartUp) forget();
    else ++it;
  }
  while (it != watched.end()) forget();
}

void SpikeDetector::State::observe(const Moment& moment, const ProcessRow& row, Watched& process) {
  const bool startingUp = moment.time - process.started < kStartUp;
  for (std::size_t i = 0; i < kMetrics.size(); ++i) observe(moment, row, startingUp, i, process.watches[i]);
}

double SpikeDetector::State::enter(const Rule& rule, Watch& watch) const {
  if (watch.baseline.count() < kFewestValues) return rule.absolute;
  const double usual = watch.baseline.median();
  const double high = watch.baseline.high();
  // Fault rates are skewed: their noise is even on a scale that is linear far below the floor and logarithmic above.
  const double bend = rule.floor / 2;
  const double noise = (bend + usual) * std::pow((bend + high) / (bend + usual), options.reach) - bend;
  const double relative = std::max({rule.floor, usual * options.factor, noise});
  return std::min(relative, std::max(rule.absolute, std::min(noise, high * kHabit)));
}

void SpikeDetector::State::observe(const Moment& moment, const ProcessRow& row, bool startingUp, std::size_t which,
                                   Watch& watch) {
  const Rule& rule = rules[which];
  const auto delta = row.deltas.get(kMetrics[which]);
  const auto rate = moment.perSecond(delta);
  if (!rate || moment.gap != Gap::None) return close(rule, watch);
  SpikeBin& bin = watch.bin;
  if (!bin.enter && *rate > rule.lowest() * (watch.burst ? kExitShare : 1)) {
    // What stands out for longer than the memory is the new usual; until then a burst must not raise its own bar.
    const bool lasting = watch.burst && moment.time - watch.burst->start > options.memory;
    bin.enter = watch.burst && !lasting ? watch.burstEnter : enter(rule, watch);
  }
  const bool standsOut = bin.enter && *rate > *bin.enter * (watch.burst ? kExitShare : 1);
  bin.add(moment.time, moment.interval, *delta, *rate, standsOut);
  const bool whole = bin.span + moment.interval / 2 >= kJudged;
  if (!whole && row.exited) bin.span = kJudged;  // and quiet for the rest
  if (whole || row.exited) judge(moment, row, startingUp, which, watch);
}

void SpikeDetector::State::judge(const Moment& moment, const ProcessRow& row, bool startingUp, std::size_t which,
                                 Watch& watch) {
  const SpikeBin& bin = watch.bin;
  const double rate = bin.rate();
  if (bin.loudFor(watch.burst.has_value()) && (watch.burst || !startingUp)) {
    grow(moment, row, which, watch);
  } else if (watch.burst) {
    watch.sinceEnd += bin.faults;
    if (moment.time - watch.burst->end >= kQuiet) close(rules[which], watch);
  }
  watch.baseline.add(rate, moment.time, options.memory);
  watch.bin = {};
}

void SpikeDetector::State::grow(const Moment& moment, const ProcessRow& row, std::size_t which, Watch& watch) {
  const SpikeBin& bin = watch.bin;
  if (!watch.burst) {
    watch.burstEnter = *bin.enter;
    Spike& begun = watch.burst.emplace();
    begun.key = row.key;
    begun.name = row.name;
    begun.metric = kMetrics[which];
    begun.start = bin.start;
    begun.wallStart = {moment.wallTime.sinceEpoch - (moment.time - bin.start)};
    begun.usualPerSecond = watch.baseline.median();
  }
  extend(rules[which], watch);
}

void SpikeDetector::State::extend(const Rule& rule, Watch& watch) {
  const SpikeBin& bin = watch.bin;
  Spike& spike = *watch.burst;
  if (spike.faults > 0) spike.faults += watch.sinceEnd + bin.before;  // but not the quiet before it began
  spike.end = bin.end;
  spike.faults += bin.inside;
  watch.sinceEnd = bin.after;
  if (bin.peakPerSecond > spike.peakPerSecond) {
    spike.peakPerSecond = bin.peakPerSecond;
    spike.peakTime = bin.peakTime;
  }
  const double mean = static_cast<double>(spike.faults) / seconds(spike.end - spike.start);
  if (spike.id == 0 && (spike.faults < rule.least || mean < rule.lowest())) return;
  if (spike.id == 0) spike.id = ++lastId;
  tell(spike);
}

// Once a moment, as it is in the end.
void SpikeDetector::State::tell(const Spike& spike) {
  if (!changed.empty() && changed.back().id == spike.id) changed.back() = spike;
  else changed.push_back(spike);
}

// At a gap, or where a process is gone, the rest of what was not judged yet counts as quiet.
void SpikeDetector::State::close(const Rule& rule, Watch& watch) {
  watch.bin.span = std::max(watch.bin.span, kJudged);
  if (watch.burst && watch.bin.loudFor(true)) extend(rule, watch);
  if (watch.burst && watch.burst->id != 0) {
    watch.burst->open = false;
    tell(*watch.burst);
  }
  watch.burst.reset();
  watch.bin = {};
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
  if (moment.gap == Gap::First) {
    for (auto& [key, watched] : state.watched) state.close(watched);
    state.watched.clear();
    state.began = moment.time;
    state.samples = 0;
  } else {
    state.observe(moment);
    if (moment.gap == Gap::None) ++state.samples;
  }
  return std::exchange(state.changed, {});
}

}  // namespace faultline
