#include "core/monitor/monitor.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/spikes/groups.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr Nanoseconds kClockSet = std::chrono::minutes(1);
constexpr Nanoseconds kShareOver = std::chrono::seconds(1);

Nanoseconds bootedAt(const Snapshot& snapshot) {
  return snapshot.wallTime.sinceEpoch - snapshot.time.sinceEpoch - snapshot.suspended;
}

}  // namespace

Monitor::Monitor(MonitorOptions options) : m_options(options), m_history(options.history), m_detector(options.spikes) {}

std::optional<WallTime> Monitor::startOf(const ProcessKey& key) const {
  if (snapshots() == 0 || key.startTime == 0) return std::nullopt;
  return WallTime{bootedAt(m_previous) + Nanoseconds(static_cast<std::int64_t>(key.startTime))};
}

void Monitor::ingest(const Hello& hello) {
  if (hello.machine != m_hello.machine) {
    clear();
    m_calibration.reset();
  }
  if (!isOfSameCollector(hello, m_sent)) m_hasPrevious = false;
  m_sent = hello;
  estimate();
}

void Monitor::expectStep(std::optional<Nanoseconds> step) {
  m_step = step;
  m_hello.interval = step.value_or(m_sent.interval);
}

void Monitor::setCalibration(const Calibration& calibration, std::vector<std::string> changes) {
  m_calibration = Calibrated{calibration, std::move(changes), CalibrationCheck(calibration.touch.median)};
  estimate();
}

void Monitor::estimate() {
  m_hello = m_sent;
  expectStep(m_step);
  Quality& quality = m_hello.quality(ProcessMetric::FaultTime);
  m_nsPerFault.reset();
  if (m_calibration && quality.grade == Grade::Unavailable) {
    const std::string why = quality.how;
    quality.grade = Grade::Estimated;
    quality.how = "Minor faults times their price on this machine: " + calibrationText(m_calibration->calibration) +
                  ". Without major faults. Not measured: " + why;
    for (const std::string& change : m_calibration->changes) quality.how += ". The calibration is old: " + change;
    m_nsPerFault = m_calibration->calibration.touch.median;
  }
  m_detector.setOptions(spikeOptions());
}

// Estimated time, also that of a recording, would only repeat the judgement of the counts.
SpikeOptions Monitor::spikeOptions() const {
  SpikeOptions options = m_options.spikes;
  const auto grade = [&](ProcessMetric metric) { return m_hello.quality(metric).grade; };
  if (m_nsPerFault || (grade(ProcessMetric::FaultTime) == Grade::Estimated &&
                       grade(ProcessMetric::TimedFaults) == Grade::Unavailable)) {
    options.faultNsPerSecond = std::numeric_limits<double>::infinity();
    options.leastFaultNs = std::numeric_limits<std::uint64_t>::max();
  }
  return options;
}

Snapshot Monitor::estimated(const Snapshot& snapshot) const {
  Snapshot with = snapshot;
  if (m_nsPerFault)
    for (auto* samples : {&with.processes, &with.exited})
      for (ProcessSample& process : *samples) estimateFaultTime(*m_nsPerFault, process.values);
  return with;
}

std::vector<std::string> Monitor::calibrationRemarks() const {
  if (!m_calibration) return {};
  std::vector<std::string> remarks;
  for (const std::string& change : m_calibration->changes) remarks.push_back("The calibration is old: " + change + ".");
  if (m_calibration->check.disagrees())
    remarks.push_back("Measured faults take " + formatRate(*m_calibration->check.ratio()) +
                      " times what the calibration says. Entry and return of a fault are in no measured time.");
  return remarks;
}

void Monitor::ingest(const Snapshot& snapshot) {
  m_hasPrevious = m_hasPrevious && snapshot.time > m_previous.time;
  if (!m_hasPrevious && m_snapshots > 0 && !continues(snapshot)) clear();
  const Snapshot* const previous = m_hasPrevious ? &m_previous : nullptr;
  m_shown.add(m_hello, m_step ? nullptr : previous, m_now, snapshot, m_nsPerFault, m_own);
  derive(m_hello, previous, snapshot, m_now, m_nsPerFault, m_step);
  noteCollectorCpu();
  m_own.leaveOut(m_hello, m_now);
  m_history.add(m_now);
  m_costs.add(m_now, previous);
  remember(snapshot);
  ++m_snapshots;
  if (m_calibration) m_calibration->check.add(m_now, m_hello.machine.pageBytes);
  if (m_options.findsSpikes) updateSpikes();
}

// Most processes are idle. Where no process began or ended, only the values of the others are copied; names stay as
// they were, because no reader of m_previous uses names.
void Monitor::remember(const Snapshot& snapshot) {
  const std::size_t count = snapshot.processes.size();
  if (!std::exchange(m_hasPrevious, true) || m_now.died > 0 || m_previous.processes.size() != count) {
    m_previous = snapshot;
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!m_now.rows[i].idle) m_previous.processes[i].values = snapshot.processes[i].values;
  m_previous.time = snapshot.time;
  m_previous.wallTime = snapshot.wallTime;
  m_previous.suspended = snapshot.suspended;
  m_previous.system = snapshot.system;
  m_previous.faultDurations = snapshot.faultDurations;
}

void Monitor::setSpikeOptions(const SpikeOptions& options) {
  m_options.spikes = options;
  m_detector.setOptions(spikeOptions());
}

void Monitor::tellSpikes(const std::vector<Spike>& spikes) {
  if (m_options.findsSpikes) return;
  m_spikes.assign(spikes.begin(), spikes.end());
  m_spikesTold = true;
}

void Monitor::clear() {
  m_hasPrevious = false;
  m_now = {};
  m_shown.clear();
  m_own.clear();
  m_history.clear();
  m_costs.clear();
  m_detector = SpikeDetector(spikeOptions());
  m_spikes.clear();
  m_spikesTold = false;
  m_spikesNow.clear();
  m_collectorCpu.clear();
  m_snapshots = 0;
}

bool Monitor::continues(const Snapshot& snapshot) const {
  const auto newest = m_history.newest();
  const Nanoseconds apart = bootedAt(snapshot) - bootedAt(m_previous);
  return !(newest && snapshot.time <= *newest) && std::chrono::abs(apart) <= kClockSet;
}

void Monitor::updateSpikes() {
  m_spikesNow = m_detector.add(m_now);
  for (Spike& spike : m_spikesNow) {
    spike.parent = parentName(spike);
    spike.again = repeatsHabit(spike, m_spikes);
    spike.zeroedEstimated = m_hello.quality(ProcessMetric::ZeroedBytes).grade == Grade::Estimated;
    spike.teardownEstimated = m_hello.quality(ProcessMetric::TeardownTime).grade == Grade::Estimated;
    const auto same = std::ranges::find(m_spikes.rbegin(), m_spikes.rend(), spike.id, &Spike::id);
    if (same != m_spikes.rend()) *same = spike;
    else m_spikes.push_back(spike);
  }
  while (m_spikes.size() > m_options.keptSpikes) {
    // The newer half is what happens now; of the older one, the heavy spikes are worth keeping.
    const auto older = m_spikes.end() - static_cast<std::ptrdiff_t>(m_options.keptSpikes / 2);
    const auto lightest = std::min_element(m_spikes.begin(), older, [](const Spike& one, const Spike& other) {
      return std::pair(one.open, spikeWeight(one)) < std::pair(other.open, spikeWeight(other));
    });
    m_spikes.erase(lightest);
  }
}

std::string Monitor::parentName(const Spike& spike) const {
  const auto parent = m_costs.parent(spike.key);
  return parent ? m_history.name(*parent).value_or(std::string()) : std::string();
}

void Monitor::noteCollectorCpu() {
  const auto used = m_now.system.get(SystemMetric::CollectorCpu);
  if (!used || !m_now.systemDeltas.has(SystemMetric::CollectorCpu)) m_collectorCpu.clear();
  if (used) m_collectorCpu.emplace_back(m_now.time, *used);
  while (m_collectorCpu.size() > 2 && m_now.time - m_collectorCpu[1].first >= kShareOver) m_collectorCpu.pop_front();
}

std::optional<double> Monitor::collectorCpuShare() const {
  if (m_collectorCpu.size() < 2) return std::nullopt;
  const auto& [from, before] = m_collectorCpu.front();
  const auto& [to, used] = m_collectorCpu.back();
  return static_cast<double>(used - before) / static_cast<double>((to - from).count());
}

}  // namespace faultline
