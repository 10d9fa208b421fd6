#include "core/history/rates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "core/history/parent.h"

namespace faultline {
namespace {

// `time` and `suspended` are read one after the other, so their sum jitters without any sleep.
constexpr Nanoseconds kSuspendJitter = std::chrono::milliseconds(10);

constexpr double kKib = 1024;

Gap gapBetween(Nanoseconds planned, const Snapshot* previous, const Snapshot& current) {
  if (previous == nullptr) return Gap::First;
  if (current.time <= previous->time) return Gap::Backwards;
  if (current.suspended - previous->suspended > kSuspendJitter) return Gap::Suspended;
  const bool late = planned.count() > 0 && current.time - previous->time > kLateFactor * planned;
  return late ? Gap::Late : Gap::None;
}

template <class Metric, std::size_t Count>
Values<Metric, Count> difference(std::uint32_t counters, const std::array<Quality, Count>& qualities,
                                 const Values<Metric, Count>& before, const Values<Metric, Count>& after) {
  const std::uint32_t both = counters & before.present() & after.present();
  auto out = Values<Metric, Count>::zeros(both);
  forEachMetric<Metric>(both, [&](Metric metric) {
    const std::uint64_t old = *before.get(metric);
    const std::uint64_t now = *after.get(metric);
    if (old != now) out.set(metric, counterDelta(old, now, qualities[static_cast<std::size_t>(metric)].wrapBits));
  });
  return out;
}

// Absent if a count went backwards: another collector counts.
std::optional<FaultDurations> difference(const Snapshot& before, const Snapshot& after) {
  if (!before.faultDurations || !after.faultDurations) return std::nullopt;
  const FaultDurations& old = *before.faultDurations;
  FaultDurations grown = *after.faultDurations;
  if (grown.ns < old.ns || !std::ranges::equal(old.faults, grown.faults, std::ranges::less_equal()))
    return std::nullopt;
  grown.ns -= old.ns;
  std::ranges::transform(grown.faults, old.faults, grown.faults.begin(), std::minus());
  return grown;
}

ProcessDeltas wholeCounters(const ProcessValues& values) {
  ProcessDeltas out;
  forEachMetric<ProcessMetric>(kProcessCounters & values.present(),
                               [&](ProcessMetric metric) { out.set(metric, values.get(metric)); });
  return out;
}

// The newest measurement: the collector repeats it now and then.
std::optional<ZeroingCost> zeroingCost(const Hello& hello, const Snapshot& current) {
  const auto small = current.system.get(SystemMetric::SmallZeroingCost);
  const auto large = current.system.get(SystemMetric::LargeZeroingCost);
  if (!small || !large) return hello.zeroingCost;
  return ZeroingCost{static_cast<double>(*small) / 1000, static_cast<double>(*large) / 1000};
}

// Zeroing time is derived, too: bytes times the cost on the machine that measured, and of large pages not less than was
// measured in their faults: the cost is of memory that the host of a virtual machine already backs.
void estimateZeroing(const ZeroingCost& cost, ProcessValues& values) {
  const auto all = values.get(ProcessMetric::ZeroedBytes);
  if (!all) return;
  const std::uint64_t large = std::min(values.get(ProcessMetric::ZeroedLargeBytes).value_or(0), *all);
  const double ns = static_cast<double>(*all - large) / kKib * cost.smallNsPerKib +
                    std::max(static_cast<double>(large) / kKib * cost.largeNsPerKib,
                             static_cast<double>(values.orZero(ProcessMetric::LargeZeroingTime)));
  values.set(ProcessMetric::ZeroingTime, static_cast<std::uint64_t>(std::llround(ns)));
}

// Clearing is a part of the faults that asked for the memory, so it took no longer than they were on a processor. No
// limit if there were too few faults to have asked for it all: memory is also populated without a fault.
void limitZeroing(ProcessValues& values) {
  constexpr std::uint64_t kSmallPerFault = std::uint64_t{8} << 10U;  // a page, and its share of page tables
  constexpr std::uint64_t kLargePerFault = std::uint64_t{2} << 20U;
  const auto time = values.get(ProcessMetric::ZeroingTime);
  const auto onProcessor = values.get(ProcessMetric::FaultTimeOnProcessor);
  const auto most = onProcessor ? onProcessor : values.get(ProcessMetric::FaultTime);
  const auto faults = values.get(ProcessMetric::TimedFaults);
  if (!time || !most || !faults || *time <= *most) return;
  const std::uint64_t all = values.get(ProcessMetric::ZeroedBytes).value_or(0);
  const std::uint64_t large = std::min(values.get(ProcessMetric::ZeroedLargeBytes).value_or(0), all);
  const bool asked = all - large <= *faults * kSmallPerFault && large <= *faults * kLargePerFault;
  if (asked) values.set(ProcessMetric::ZeroingTime, *most);
}

// The total is the sum of the differences that were told, so that it never shrinks, whatever the cost is measured to
// be.
void sumUpZeroing(std::optional<std::uint64_t> before, ProcessRow& row, std::vector<ZeroingSoFar>& out) {
  const auto grown = row.deltas.get(ProcessMetric::ZeroingTime);
  if (before && grown) row.values.set(ProcessMetric::ZeroingTime, *before + *grown);
  const auto all = row.values.get(ProcessMetric::ZeroingTime);
  if (all && *all > 0 && !row.exited) out.push_back({row.key, *all});
}

// The process has faulted, but only before fault times were measured: the time is unknown, not zero.
void forgetUntimed(ProcessValues& values) {
  const std::uint64_t all =
      values.get(ProcessMetric::MinorFaults).value_or(0) + values.get(ProcessMetric::MajorFaults).value_or(0);
  if (values.get(ProcessMetric::TimedFaults) != 0U || all == 0) return;
  for (const ProcessMetric metric : kFaultTimes) values.clear(metric);
}

std::uint64_t growth(const ProcessValues& before, const ProcessValues& after) {
  const std::uint64_t old = before.get(ProcessMetric::ResidentBytes).value_or(UINT64_MAX);
  return std::max(after.get(ProcessMetric::ResidentBytes).value_or(0), old) - old;
}

// A sweep sees every process that exists when it begins. A process that the previous sweep did not see was therefore
// born later, unless its start time is older: then it became visible later. Start times are rounded down to a tick.
bool bornAfter(const Snapshot& previous, const ProcessKey& key) {
  const Nanoseconds sweptAt = previous.time.sinceEpoch + previous.suspended;
  return Nanoseconds(static_cast<std::int64_t>(key.startTime)) + kTick + kSuspendJitter >= sweptAt;
}

// A process's child counters hold all faults of the children it waited for. The faults that samples saw of a child that
// has gone since the previous snapshot are subtracted at its nearest living ancestor.
class Unseen {
 public:
  Unseen(const Snapshot& previous, Moment& moment) : m_previous(previous), m_moment(moment) {}

  void settle() {
    for (ProcessRow& row : m_moment.rows) {
      if (row.exited) return;  // ends are reported one by one
      row.unseenMinor = signedOf(row.deltas.get(ProcessMetric::ChildMinorFaults));
      row.unseenMajor = signedOf(row.deltas.get(ProcessMetric::ChildMajorFaults));
    }
    if (m_moment.died == 0) return;
    for (const ProcessSample& sample : m_previous.processes) {
      if (m_moment.find(sample.key) == nullptr) takeOut(sample);
    }
  }

 private:
  static std::int64_t signedOf(std::optional<std::uint64_t> value) {
    return static_cast<std::int64_t>(value.value_or(0));
  }
  static std::int64_t sum(const ProcessValues& values, ProcessMetric own, ProcessMetric children) {
    return signedOf(values.get(own)) + signedOf(values.get(children));
  }

  void takeOut(const ProcessSample& gone) {
    ProcessRow* const heir = ancestor(gone);
    if (heir == nullptr || !heir->deltas.has(ProcessMetric::ChildMinorFaults)) return;
    heir->unseenMinor -= sum(gone.values, ProcessMetric::MinorFaults, ProcessMetric::ChildMinorFaults);
    heir->unseenMajor -= sum(gone.values, ProcessMetric::MajorFaults, ProcessMetric::ChildMajorFaults);
  }

  ProcessRow* ancestor(const ProcessSample& gone) {
    constexpr int kMost = 100;  // no real family is deeper; a broken recording may be
    const ProcessSample* child = &gone;
    for (int i = 0; i < kMost; ++i) {
      const auto pid = child->values.get(ProcessMetric::ParentPid);
      if (!pid || *pid == child->key.pid || *pid > UINT32_MAX) return nullptr;
      const std::uint64_t born = child->key.startTime;
      const auto row = parentIn(m_moment.rows, *pid, born, &ProcessRow::key);
      if (row != m_moment.rows.end()) return &*row;
      const auto old = parentIn(m_previous.processes, *pid, born, &ProcessSample::key);
      if (old == m_previous.processes.end()) return nullptr;
      child = &*old;
    }
    return nullptr;
  }

  const Snapshot& m_previous;
  Moment& m_moment;
};

}  // namespace

std::optional<std::uint64_t> counterDelta(std::uint64_t before, std::uint64_t after, unsigned wrapBits) {
  if (wrapBits == 0 || wrapBits >= 64) return after >= before ? std::optional(after - before) : std::nullopt;
  const std::uint64_t range = std::uint64_t{1} << wrapBits;
  const std::uint64_t delta = (after - before) & (range - 1);
  return after >= before || delta < range / 2 ? std::optional(delta) : std::nullopt;
}

const std::string& serviceName(const ProcessRow& row) {
  static const std::string kUnknown = "unknown";
  return row.service.empty() ? kUnknown : row.service;
}

std::optional<std::uint64_t> Moment::unattributed() const {
  const auto all = systemDeltas.get(SystemMetric::Faults);
  const ProcessDeltas seen = everyone();
  const auto minor = seen.get(ProcessMetric::MinorFaults);
  const auto major = seen.get(ProcessMetric::MajorFaults);
  if (!all || !minor || !major) return std::nullopt;
  return *all - std::min(*all, *minor + *major);
}

ProcessDeltas Moment::everyone() const {
  ProcessDeltas sum = processTotal;
  sum.add(own);
  return sum;
}

const ProcessRow* Moment::find(const ProcessKey& key) const {
  const auto it = std::ranges::lower_bound(rows, key, {}, &ProcessRow::key);
  return it != rows.end() && it->key == key ? &*it : nullptr;
}

void estimateFaultTime(double nsPerFault, ProcessValues& values) {
  const auto minor = values.get(ProcessMetric::MinorFaults);
  if (!minor || values.has(ProcessMetric::FaultTime)) return;
  values.set(ProcessMetric::FaultTime,
             static_cast<std::uint64_t>(std::llround(static_cast<double>(*minor) * nsPerFault)));
}

void derive(const Hello& hello, const Snapshot* previous, const Snapshot& current, Moment& out,
            std::optional<double> nsPerFault, std::optional<Nanoseconds> step) {
  const Nanoseconds planned = step.value_or(plannedInterval(hello, current.system));
  out.gap = gapBetween(planned, previous, current);
  const bool comparable = out.gap != Gap::First && out.gap != Gap::Backwards;
  out.time = current.time;
  out.wallTime = current.wallTime;
  out.interval = comparable ? current.time - previous->time : Nanoseconds{0};
  out.brief = comparable && out.interval * kBriefPart < planned;
  out.system = current.system;
  out.systemDeltas =
      comparable ? difference(kSystemCounters, hello.system, previous->system, current.system) : SystemDeltas{};
  out.faultDurations = comparable ? difference(*previous, current) : std::nullopt;
  out.processTotal = out.own = {};
  out.born = out.died = 0;

  const std::optional<ZeroingCost> cost = zeroingCost(hello, current);
  const std::vector<ZeroingSoFar> zeroing = std::exchange(out.zeroing, {});
  auto zeroed = comparable ? zeroing.begin() : zeroing.end();
  out.rows.resize(current.processes.size() + current.exited.size());
  std::span<const ProcessSample> before;
  if (comparable) before = previous->processes;
  auto old = before.begin();
  auto alive = current.processes.begin();
  auto exited = current.exited.begin();
  for (ProcessRow& row : out.rows) {
    row.exited = alive == current.processes.end() || (exited != current.exited.end() && exited->key < alive->key);
    const ProcessSample& process = row.exited ? *exited++ : *alive++;
    row.key = process.key;
    if (row.name != process.name) row.name = process.name;
    if (row.service != process.service) row.service = process.service;
    row.values = process.values;
    row.born = row.own = false;
    row.unseenMinor = row.unseenMajor = 0;
    row.residentGrowth = 0;
    for (; old != before.end() && old->key < process.key; ++old) ++out.died;
    const bool zero = std::exchange(row.idle, false);  // all deltas that the row still has
    if (old != before.end() && old->key == process.key) {
      row.idle = old->values == process.values;
      if (row.idle) {
        const std::uint32_t counters = kProcessCounters & process.values.present();
        if (!zero || row.deltas.present() != counters) row.deltas = ProcessDeltas::zeros(counters);
      } else {
        row.deltas = difference(kProcessCounters, hello.process, old->values, process.values);
        row.residentGrowth = growth(old->values, process.values);
      }
      ++old;
    } else if (comparable && bornAfter(*previous, process.key)) {
      row.born = true;
      ++out.born;
      row.deltas = wholeCounters(process.values);
      row.residentGrowth = process.values.get(ProcessMetric::ResidentBytes).value_or(0);
    } else {
      row.deltas = {};
    }
    if (row.exited) ++out.died;
    if (nsPerFault)
      for (ProcessValues* values : {&row.values, &row.deltas}) estimateFaultTime(*nsPerFault, *values);
    if (cost) {
      estimateZeroing(*cost, row.values);
      estimateZeroing(*cost, row.deltas);
    }
    if (row.values.has(ProcessMetric::ZeroingTime)) limitZeroing(row.values);
    if (!row.idle) limitZeroing(row.deltas);
    while (zeroed != zeroing.end() && zeroed->key < row.key) ++zeroed;
    const bool has = zeroed != zeroing.end() && zeroed->key == row.key;
    sumUpZeroing(has ? std::optional(zeroed->ns) : std::nullopt, row, out.zeroing);
    forgetUntimed(row.values);
    if (!row.idle || (row.deltas.present() & ~out.processTotal.present()) != 0) out.processTotal.add(row.deltas);
  }
  out.died += static_cast<std::uint32_t>(before.end() - old);
  if (comparable) Unseen(*previous, out).settle();
}

}  // namespace faultline
