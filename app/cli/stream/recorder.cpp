#include "app/cli/stream/recorder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

#include "app/cli/stream/calibrated.h"
#include "app/cli/stream/writable.h"
#include "app/cli/text/spike_text.h"
#include "core/monitor/cost_text.h"
#include "core/spikes/groups.h"
#include "core/text/quantity.h"
#include "platform/host/recorded_file.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;
constexpr std::size_t kShownSpikes = 3;
constexpr Nanoseconds kOrderly = 1s;

// The recorder uses only the spikes of the monitor: keep little history.
MonitorOptions smallHistory() {
  MonitorOptions options;
  options.history.budgetBytes = std::size_t{1} << 20U;
  return options;
}

}  // namespace

Recorder::Recorder(CollectorStream stream, std::filesystem::path file, Existing existing, const CommonOptions& common,
                   Nanoseconds ring)
    : m_stream(std::move(stream)),
      m_recording(std::move(file), ring),
      m_existing(existing),
      m_common(common),
      m_monitor(smallHistory()) {}

// A recording has one calibration: its counters of time must not jump.
Result<void> Recorder::take(const Hello& hello) {
  if (m_monitor.calibration() == nullptr) ingestCalibrated(m_monitor, hello, m_common);
  else m_monitor.ingest(hello);
  auto& writer = m_recording.writer();
  return writer ? writer->add(m_monitor.hello()) : Result<void>();
}

Result<void> Recorder::begin() {
  auto writer = beginRecording(m_recording.file(), m_existing, *m_standardOutput, m_monitor.hello());
  if (!writer) return tl::unexpected(writer.error());
  m_recording.begin(std::move(*writer), m_monitor.now().time);
  for (const Snapshot& snapshot : std::exchange(m_held, {}))
    if (const auto added = m_recording.writer()->add(snapshot); !added) return added;
  return {};
}

Result<void> Recorder::take(const Snapshot& snapshot) {
  if (!m_start) m_start = snapshot.time;
  m_monitor.ingest(snapshot);
  m_leftOut = std::max(m_leftOut, snapshot.system.get(SystemMetric::ProcessesLeftOut).value_or(0));
  const Moment& now = m_monitor.now();
  if (now.processTotal.has(ProcessMetric::ChildMinorFaults) && now.unattributed()) {
    m_faults += now.systemDeltas.get(SystemMetric::Faults).value_or(0);
    const ProcessDeltas seen = now.everyone();
    m_seenFaults += seen.get(ProcessMetric::MinorFaults).value_or(0) + seen.get(ProcessMetric::MajorFaults).value_or(0);
  }
  for (const ProcessRow& row : now.rows) {
    m_processes.insert(row.key);
    m_latest[row.key.pid] = row.key;
  }
  if (auto advanced = m_recording.advance(snapshot.time, m_monitor.hello(), &m_monitor.spikes()); !advanced)
    return advanced;
  if (auto& writer = m_recording.writer()) return writer->add(m_monitor.estimated(snapshot));
  m_held.push_back(m_monitor.estimated(snapshot));
  return {};
}

Result<void> Recorder::drain() {
  m_stream.receive();
  for (;;) {
    const auto event = m_stream.next();
    if (!event) return tl::unexpected(event.error());
    if (std::holds_alternative<NeedMoreBytes>(*event)) return {};
    Result<void> taken;
    if (const auto* hello = std::get_if<Hello>(&*event)) taken = take(*hello);
    else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) taken = take(**snapshot);
    else m_ended = true;
    if (!taken) return taken;
  }
}

Result<void> Recorder::receive() {
  if (const auto drained = drain(); !drained) return drained;
  if (m_stream.ended() && !m_ended) return tl::unexpected(m_stream.whyEnded());
  return {};
}

Result<void> Recorder::finish(const Interrupt& interrupt) {
  m_stream.stop();
  Result<void> drained;
  // timeout(1) sends a signal twice, to its command and to the group: only a later one interrupts.
  const Steady::time_point orderly = Steady::now() + kOrderly;
  while (drained && !m_stream.ended()) {
    const Nanoseconds left = std::max<Nanoseconds>(orderly - Steady::now(), 0ns);
    if (waitFor(m_stream.ready(), left, {}) != Waited::Ready) drained = m_stream.waitForData(interrupt);
    if (drained) drained = drain();
  }
  auto& writer = m_recording.writer();
  if (!drained || !writer) return drained;
  if (const auto finished = writer->finish(&m_monitor.spikes()); !finished) return finished;
  if (!m_ended) return tl::unexpected(m_stream.whyEnded());
  return {};
}

std::optional<std::string> Recorder::costOf(std::uint32_t pid) const {
  const auto latest = m_latest.find(pid);
  if (latest == m_latest.end()) return std::nullopt;
  const auto cost = m_monitor.cost(latest->second);
  const auto name = m_monitor.history().name(latest->second);
  if (!cost) return std::nullopt;
  return costText(name.value_or("process " + std::to_string(pid)), *cost, m_monitor.hello());
}

std::vector<std::string> Recorder::summary() const {
  const Moment& last = m_monitor.now();
  const Nanoseconds length = m_start ? last.time - *m_start : 0ns;
  const std::uint64_t snapshots = m_recording.snapshots();
  std::vector<std::string> lines{fmt::format("Recorded {} in {} snapshot{}: {} processes, {}.", formatDuration(length),
                                             snapshots, snapshots == 1 ? "" : "s", m_processes.size(),
                                             formatBytes(bytes()))};
  const auto missed = last.system.get(SystemMetric::MissedDeadlines).value_or(0);
  const auto dropped = last.system.get(SystemMetric::DroppedSnapshots).value_or(0);
  if (missed + dropped > 0) lines.push_back(fmt::format("{} sweeps were late and {} were dropped.", missed, dropped));
  if (const auto lost = last.system.get(SystemMetric::LostExits).value_or(0); lost > 0)
    lines.push_back(fmt::format("{} short-lived processes not counted one by one, only in the sums.", lost));
  if (m_faults > m_seenFaults)
    lines.push_back(
        fmt::format("{} page faults on this machine, {} of them unattributed: they belong to processes that lived "
                    "between two samples, or came after a process's last sample.",
                    formatCount(m_faults), formatCount(m_faults - m_seenFaults)));

  const std::size_t count = m_monitor.spikes().size();
  if (count == 0) return lines;
  std::vector<SpikeGroup> groups = groupSpikes(m_monitor.spikes());
  std::ranges::sort(groups, std::greater{}, [](const SpikeGroup& group) { return spikeWeight(group.typical()); });
  lines.push_back(fmt::format("{} spike{}{}", count, count == 1 ? "" : "s",
                              groups.size() > kShownSpikes ? ", the heaviest:" : ":"));
  for (const SpikeGroup& group : std::span(groups).first(std::min(kShownSpikes, groups.size())))
    lines.push_back("  " + spikeText(group));
  return lines;
}

}  // namespace faultline
