#include "app/cli/runs/try_memory.h"

#include <algorithm>
#include <utility>

#include "app/cli/stream/calibrated.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kInterval = 200ms;  // between sweeps, besides one at the end of each run
constexpr Nanoseconds kLastSweep = 10s;   // for the sweep that tells of a program's end

MonotonicTime now() {
  return {std::chrono::steady_clock::now().time_since_epoch()};
}

}  // namespace

Result<RunMemoryWatch> RunMemoryWatch::start(const CommonOptions& common, const Interrupt& interrupt) {
  auto stream = CollectorStream::start(common, {.interval = kInterval, .sampling = false});
  if (!stream) return tl::unexpected(stream.error());
  RunMemoryWatch watch(common, std::move(*stream));
  while (watch.m_monitor.snapshots() == 0) {
    const auto event = watch.m_stream.waitForEvent(interrupt);
    if (!event) return tl::unexpected(event.error());
    watch.take(*event);
  }
  return watch;
}

// A collector that sees each process end needs no counters of children.
bool RunMemoryWatch::measures() const {
  return m_monitor.hello().quality(ProcessMetric::ChildMinorFaults).grade == Grade::Unavailable;
}

RunMemoryQuality RunMemoryWatch::quality() const {
  RunMemoryQuality qualities;
  for (std::size_t i = 0; i < qualities.size(); ++i) {
    qualities[i] = m_monitor.hello().quality(kRunFigures[i].metric);
    const bool byPrice = kRunFigures[i].metric == ProcessMetric::FaultTime && nsPerFault();
    if (!measures() && !byPrice && qualities[i].grade != Grade::Unavailable)
      qualities[i] = unavailable("Processes that live between two sweeps would be missed");
  }
  return qualities;
}

std::optional<double> RunMemoryWatch::nsPerFault() const {
  const bool measured = m_monitor.hello().quality(ProcessMetric::FaultTime).grade != Grade::Estimated;
  if (measured || m_monitor.calibration() == nullptr) return std::nullopt;
  return m_monitor.calibration()->touch.median;
}

TrialWatch RunMemoryWatch::watch() {
  m_pid = 0;
  m_program.reset();
  m_faultsByName.clear();
  m_name.clear();
  return {.begin = [this](std::uint32_t pid) { m_pid = pid; },
          .ready = [this] { return m_failure ? kNoHandle : m_stream.ready(); },
          .pause = [] { return std::nullopt; },
          .step =
              [this] {
                step(0ns);
                return TrialWish::Run;
              }};
}

// Takes what has come within `patience`.
void RunMemoryWatch::step(Nanoseconds patience, const Interrupt& interrupt) {
  if (m_failure || waitFor(m_stream.ready(), patience, interrupt) != Waited::Ready) return;
  m_stream.receive();
  for (;;) {
    const auto event = m_stream.next();
    if (!event) m_failure = event.error();
    if (!event || std::holds_alternative<NeedMoreBytes>(*event)) break;
    take(*event);
  }
  if (m_stream.ended() && !m_failure) m_failure = m_stream.whyEnded();
}

void RunMemoryWatch::take(const StreamEvent& event) {
  if (const auto* const hello = std::get_if<Hello>(&event)) ingestCalibrated(m_monitor, *hello, m_common);
  const auto* const snapshot = std::get_if<const Snapshot*>(&event);
  if (snapshot == nullptr) return;
  m_monitor.ingest(**snapshot);
  for (const ProcessRow& row : m_monitor.now().rows)
    if (row.key.pid == m_pid) {
      m_program = row.key;
      if (m_name.empty()) m_name = row.name;
    }
  const auto starter = m_program ? m_monitor.parent(*m_program) : std::nullopt;
  if (!starter) return;
  for (const ProcessRow& row : m_monitor.now().rows) {
    const auto minor = row.deltas.get(ProcessMetric::MinorFaults).value_or(0);
    const auto faults = minor + row.deltas.get(ProcessMetric::MajorFaults).value_or(0);
    if (faults > 0 && startedBy(m_monitor, row.key, [&](const ProcessKey& parent) { return parent == *starter; }))
      m_faultsByName[row.name] += static_cast<double>(faults);
  }
}

std::map<std::string, double> RunMemoryWatch::faultsByName(std::uint64_t start) const {
  auto faults = m_faultsByName;
  if (const auto own = faults.find(m_name); own != faults.end())
    own->second = std::max(own->second - static_cast<double>(start), 0.0);
  return faults;
}

bool startedBy(const Monitor& monitor, ProcessKey key, const std::function<bool(const ProcessKey&)>& such) {
  for (auto parent = monitor.parent(key); parent && *parent != key; parent = monitor.parent(key)) {
    if (such(*parent)) return true;
    key = *parent;
  }
  return false;
}

Result<RunMemory> RunMemoryWatch::finish(const Interrupt& interrupt) {
  const MonotonicTime end = now();
  m_stream.ask();
  while (!m_failure && !interrupt.now() && m_monitor.now().time < end && now() - end < kLastSweep)
    step(kLastSweep, interrupt);
  if (m_failure) return tl::unexpected(*m_failure);
  const auto starter = m_program ? m_monitor.parent(*m_program) : std::nullopt;
  const auto cost = starter ? m_monitor.cost(*starter) : std::nullopt;
  if (!cost) return fail("The collector did not see the program.");
  m_processes = cost->started;
  return runMemory(cost->family, cost->own);
}

}  // namespace faultline
