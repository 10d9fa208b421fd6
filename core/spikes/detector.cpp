#include "core/spikes/detector.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/spikes/baseline.h"
#include "core/spikes/bin.h"
#include "core/spikes/empty_list_spikes.h"
#include "core/spikes/rule.h"
#include "core/spikes/start_costs.h"
#include "core/spikes/zeroing_thread_spikes.h"

namespace faultline {
namespace {

// Minimum time of a bin: over a shorter one, a few faults would be a high rate.
constexpr Nanoseconds kJudged = std::chrono::milliseconds(500);

// A burst ends when the rate stays low for this long.
constexpr Nanoseconds kQuiet = std::chrono::seconds(1);

constexpr std::size_t kSeries = kSpikeMetrics.size();

double amount(const ProcessDeltas& deltas, std::size_t which) {
  return static_cast<double>(deltas.get(kSpikeMetrics[which]).value_or(0));
}

// Growth is judged where zeroed bytes are not known.
bool judgesGrowth(const ProcessRow& row) {
  return !row.deltas.has(ProcessMetric::ZeroedBytes);
}

ProcessDeltas::Bits judgedOfIdle(const ProcessRow& row) {
  return row.deltas.present() | (judgesGrowth(row) ? ProcessDeltas::bit(ProcessMetric::ResidentBytes) : 0);
}

// The amounts that are judged of a process in which something happened.
ProcessDeltas judged(const ProcessRow& row) {
  ProcessDeltas deltas = row.deltas;
  if (judgesGrowth(row)) deltas.set(ProcessMetric::ResidentBytes, row.residentGrowth);
  if (row.exited) deltas.clear(ProcessMetric::TeardownTime);
  return deltas;
}

struct Burst {
  Spike spike;
  bool atStart = false;            // began while the program was starting
  PerSpikeMetric<double> enter{};  // rates exceeded at the beginning; 0: not exceeded
  PerSpikeMetric<double> usual{};
  PerSpikeMetric<SpikePeak> peaks;
  ProcessDeltas sinceEnd;  // after the last sample that stood out
};

// State of one process; kept only if it had a fault within SpikeOptions::memory.
struct Watched {
  Watched(MonotonicTime at, MonotonicTime since, std::uint32_t zeros) : started(since), active(at) {
    past.fill(Baseline(zeros));
  }

  MonotonicTime started;  // long ago if the start was not observed
  MonotonicTime active;
  PerSpikeMetric<Baseline> past;
  SpikeBin bin;
  std::optional<Burst> burst;
  SpikeAmounts startCost{};
};

struct WatchedKey {
  ProcessKey key;
  std::unique_ptr<Watched> process;
};

// Whether the bin as a whole stands out by this metric, or continues a burst.
bool loud(const Watched& process, std::size_t which, double rate) {
  const SpikeBin::Series& series = process.bin.series[which];
  const bool continuesBurst = process.burst && process.burst->enter[which] > 0;
  return series.loud && rate > *series.enter * (continuesBurst ? kExitShare : 1);
}

bool active(const ProcessDeltas& deltas) {
  for (std::size_t i = 0; i < kSeries; ++i)
    if (amount(deltas, i) > 0) return true;
  return false;
}

}  // namespace

struct SpikeDetector::State {
  explicit State(const SpikeOptions& given) : options(given) {}

  void observe(const Moment& moment);
  void observe(const Moment& moment, const ProcessRow& row, Watched& process);
  [[nodiscard]] Watched unseen(const Moment& moment, const ProcessRow& row) const;
  [[nodiscard]] bool standsOut(const Moment& moment, std::optional<std::uint64_t> amount, Watched& process,
                               std::size_t which) const;
  void judge(const Moment& moment, const ProcessRow& row, Watched& process);
  void grow(const Moment& moment, const ProcessRow& row, Watched& process, const PerSpikeMetric<bool>& by);
  void extend(Watched& process);
  void noteStart(const ProcessRow& row, const ProcessDeltas& deltas, Watched& process);
  [[nodiscard]] std::optional<std::size_t> mainMetric(const Burst& burst) const;
  [[nodiscard]] double least(const Burst& burst, std::size_t which) const;
  void report(const Spike& spike);
  void close(Watched& process);

  SpikeOptions options;
  std::vector<WatchedKey> watched;  // sorted by key
  std::vector<WatchedKey> scratch;
  MonotonicTime began;  // of the stream
  std::uint32_t samples = 0;
  std::uint64_t lastId = 0;
  PerSpikeMetric<SpikeRule> rules;  // for the interval of this moment
  StartCosts starts;
  ZeroingThreadSpikes threads;
  EmptyListSpikes list;
  std::vector<Spike> changed;
};

// A process seen for the first time: idle so far, unless it was born now.
Watched SpikeDetector::State::unseen(const Moment& moment, const ProcessRow& row) const {
  if (row.born) return {moment.time, moment.time, 0};
  const auto idle = (moment.time - began) / std::max(options.memory / Baseline::kValues, Nanoseconds(1));
  const auto zeros = std::min<std::int64_t>({idle, samples, Baseline::kValues});
  return {moment.time, moment.time - kStartUp, static_cast<std::uint32_t>(zeros)};
}

void SpikeDetector::State::observe(const Moment& moment) {
  const Nanoseconds length = moment.gap == Gap::Late ? Nanoseconds(0) : moment.interval;
  for (std::size_t i = 0; i < kSeries; ++i) rules[i] = spikeRule(options, kSpikeMetrics[i], length);
  scratch.clear();
  auto old = watched.begin();
  for (const ProcessRow& row : moment.rows) {
    if (row.own) continue;
    for (; old != watched.end() && old->key < row.key; ++old) close(*old->process);
    const bool known = old != watched.end() && old->key == row.key;
    const bool busy = !row.idle && active(row.deltas);
    if (!known && !busy && !row.born) continue;
    scratch.push_back(known ? std::move(*old++) : WatchedKey{row.key, std::make_unique<Watched>(unseen(moment, row))});
    Watched& process = *scratch.back().process;
    if (busy) process.active = moment.time;
    observe(moment, row, process);
    if (!row.exited && moment.time - process.active <= options.memory + kStartUp) continue;
    close(process);
    scratch.pop_back();
  }
  for (; old != watched.end(); ++old) close(*old->process);
  watched.swap(scratch);
}

// The time of events within a gap is unknown, so the interval of a gap is judged by itself.
void SpikeDetector::State::observe(const Moment& moment, const ProcessRow& row, Watched& process) {
  const bool comparable = moment.gap == Gap::None || moment.gap == Gap::Late;
  if (moment.gap != Gap::None || row.deltas.present() == 0) close(process);
  if (!comparable || row.deltas.present() == 0) return;
  SpikeBin& bin = process.bin;
  if (row.idle && !row.exited) {
    bin.addIdle(moment.interval, judgedOfIdle(row));
  } else {
    const ProcessDeltas deltas = judged(row);
    bool any = false;
    for (std::size_t i = 0; i < kSeries; ++i) any = standsOut(moment, deltas.get(kSpikeMetrics[i]), process, i) || any;
    bin.add(moment.time, moment.interval, deltas, any);
    if (moment.time - process.started < kStartUp) noteStart(row, deltas, process);
  }
  const bool whole = bin.span + moment.interval / 2 >= kJudged;
  if (!whole && row.exited) bin.span = kJudged;  // the rest counts as quiet
  if (whole || row.exited) judge(moment, row, process);
}

void SpikeDetector::State::noteStart(const ProcessRow& row, const ProcessDeltas& deltas, Watched& process) {
  for (std::size_t i = 0; i < kSeries; ++i) process.startCost[i] += amount(deltas, i);
  starts.note(row.name, row.key, process.startCost);
}

bool SpikeDetector::State::standsOut(const Moment& moment, std::optional<std::uint64_t> amount, Watched& process,
                                     std::size_t which) const {
  const auto rate = moment.perSecond(amount);
  if (!rate) return false;
  const SpikeRule& rule = rules[which];
  SpikeBin::Series& series = process.bin.series[which];
  const bool continuesBurst = process.burst && process.burst->enter[which] > 0;
  const double share = continuesBurst ? kExitShare : 1;
  if (!series.enter && *rate > rule.lowest() * share) {
    // A burst longer than the memory is the new usual rate; until then a burst does not raise its own threshold.
    const bool lasting = continuesBurst && moment.time - process.burst->spike.start > options.memory;
    if (continuesBurst && !lasting) series.enter = process.burst->enter[which];
    else if (moment.time - process.started < kStartUp) series.enter = rule.startEnter;
    else series.enter = rule.enter(options, process.past[which]);
  }
  if (!series.enter || *rate <= *series.enter * share) return false;
  series.loud = true;
  series.peak.take({*rate, moment.time});
  return true;
}

void SpikeDetector::State::judge(const Moment& moment, const ProcessRow& row, Watched& process) {
  std::optional<ProcessDeltas> sum;
  if (process.bin.loud) sum = process.bin.all();
  const ProcessDeltas& all = sum ? *sum : process.bin.before;
  const ProcessDeltas::Bits known = all.present();  // the bin may be closed below
  if (process.burst && process.burst->atStart && process.burst->spike.id == 0 &&
      moment.time - process.started >= kStartUp)
    process.burst.reset();  // a start that cost too little
  PerSpikeMetric<bool> by{};
  PerSpikeMetric<double> rates{};
  for (std::size_t i = 0; i < kSeries; ++i) {
    rates[i] = amount(all, i) / inSeconds(process.bin.span);
    by[i] = loud(process, i, rates[i]);
  }
  if (std::ranges::find(by, true) != by.end()) {
    grow(moment, row, process, by);
  } else if (process.burst) {
    process.burst->sinceEnd.add(all);
    if (moment.time - process.burst->spike.end >= kQuiet) close(process);
  }
  for (std::size_t i = 0; i < kSeries; ++i) {
    if ((known & ProcessDeltas::bit(kSpikeMetrics[i])) != 0) process.past[i].add(rates[i], moment.time, options.memory);
  }
  process.bin.clear();
}

void SpikeDetector::State::grow(const Moment& moment, const ProcessRow& row, Watched& process,
                                const PerSpikeMetric<bool>& by) {
  const SpikeBin& bin = process.bin;
  if (!process.burst) {
    Burst& begun = process.burst.emplace();
    begun.atStart = moment.time - process.started < kStartUp;
    begun.spike.key = row.key;
    begun.spike.name = row.name;
    begun.spike.start = bin.start;
    begun.spike.wallStart = {moment.wallTime.sinceEpoch - (moment.time - bin.start)};
    for (std::size_t i = 0; i < kSeries; ++i) begun.usual[i] = process.past[i].median();
  }
  Burst& burst = *process.burst;
  for (std::size_t i = 0; i < kSeries; ++i) {
    if (by[i] && burst.enter[i] == 0) burst.enter[i] = *bin.series[i].enter;
  }
  extend(process);
}

void SpikeDetector::State::extend(Watched& process) {
  const SpikeBin& bin = process.bin;
  Burst& burst = *process.burst;
  Spike& spike = burst.spike;
  if (spike.cost.present() != 0) {  // do not add the quiet before the spike
    spike.cost.add(burst.sinceEnd);
    spike.cost.add(bin.before);
  }
  spike.end = bin.end;
  spike.cost.add(bin.inside);
  burst.sinceEnd = bin.after;
  for (std::size_t i = 0; i < kSeries; ++i) burst.peaks[i].take(bin.series[i].peak);
  const auto by = mainMetric(burst);
  if (!by) return;
  spike.metric = kSpikeMetrics[*by];
  spike.peakPerSecond = burst.peaks[*by].perSecond;
  spike.peakTime = burst.peaks[*by].time;
  spike.usualPerSecond = burst.usual[*by];
  const bool major = spike.metric == ProcessMetric::MajorFaults;
  spike.faults = spike.cost.get(major ? spike.metric : ProcessMetric::MinorFaults).value_or(0);
  if (spike.id == 0) spike.id = ++lastId;
  report(spike);
}

// The metric in which the burst is largest relative to its minimum; absent if no metric reaches its minimum.
std::optional<std::size_t> SpikeDetector::State::mainMetric(const Burst& burst) const {
  const Spike& spike = burst.spike;
  std::optional<std::size_t> best;
  double bestShare = 0;
  for (std::size_t i = 0; i < kSeries; ++i) {
    const double sum = amount(spike.cost, i);
    const bool enough = sum >= least(burst, i) && sum / inSeconds(spike.end - spike.start) >= rules[i].lowest();
    const double share = sum / rules[i].least;
    if (burst.enter[i] == 0 || (!enough && spike.id == 0) || share <= bestShare) continue;
    best = i;
    bestShare = share;
  }
  return best;
}

// The minimum of the burst by this metric.
double SpikeDetector::State::least(const Burst& burst, std::size_t which) const {
  if (!burst.atStart) return rules[which].least;
  return std::max(rules[which].startLeast, options.factor * starts.usual(burst.spike.name, burst.spike.key, which));
}

// Reports a spike once per moment, in its final state.
void SpikeDetector::State::report(const Spike& spike) {
  if (!changed.empty() && changed.back().id == spike.id) changed.back() = spike;
  else changed.push_back(spike);
}

// At a gap or the end of a process, the time not judged yet counts as quiet.
void SpikeDetector::State::close(Watched& process) {
  process.bin.span = std::max(process.bin.span, kJudged);
  if (process.burst) {
    const ProcessDeltas all = process.bin.all();
    bool any = false;
    for (std::size_t i = 0; i < kSeries; ++i)
      any = any || loud(process, i, amount(all, i) / inSeconds(process.bin.span));
    if (any) extend(process);
    if (process.burst->spike.id != 0) {
      process.burst->spike.open = false;
      report(process.burst->spike);
    }
  }
  process.burst.reset();
  process.bin.clear();
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
    for (const auto& [key, process] : state.watched) state.close(*process);
    state.watched.clear();
    state.began = moment.time;
    state.samples = 0;
  } else {
    state.observe(moment);
    if (moment.gap == Gap::None) ++state.samples;
  }
  if (auto spike = state.threads.add(moment, state.options, state.lastId)) state.changed.push_back(std::move(*spike));
  if (auto spike = state.list.add(moment, state.options, state.lastId)) state.changed.push_back(std::move(*spike));
  return std::exchange(state.changed, {});
}

}  // namespace faultline
