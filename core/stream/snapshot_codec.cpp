#include "core/stream/snapshot_codec.h"

#include <algorithm>
#include <bit>

#include "core/stream/wire.h"

namespace faultline::wire {
namespace {

bool inBytes(ProcessMetric metric) {
  return field(metric).unit == Unit::Bytes;
}

std::uint64_t scaled(const ProcessValues& values, ProcessMetric metric, unsigned shift) {
  return values.get(metric).value_or(0) >> (inBytes(metric) ? shift : 0U);
}

constexpr std::uint32_t kInBytes = metricsThat(kProcessFields, [](const auto& row) { return row.unit == Unit::Bytes; });

void packSystem(const SystemValues& values, Packer& out) {
  out.pack_array(1 + static_cast<std::uint32_t>(std::popcount(values.present())));
  out.pack_uint32(values.present());
  forEachMetric<SystemMetric>(values.present(),
                              [&](SystemMetric metric) { out.pack_uint64(values.get(metric).value_or(0)); });
}

void packGone(const std::vector<std::uint32_t>& gone, Packer& out) {
  out.pack_array(static_cast<std::uint32_t>(gone.size()));
  std::uint32_t next = 0;
  for (const std::uint32_t index : gone) {
    out.pack_uint32(index - next);
    next = index + 1;
  }
}

void packChanged(unsigned shift, std::span<const ProcessSample> before, const Snapshot& now, const SnapshotDiff& diff,
                 Packer& out) {
  out.pack_array(static_cast<std::uint32_t>(2 * diff.changed.size() + diff.changedValues));
  std::uint32_t next = 0;
  for (const SnapshotDiff::Change& change : diff.changed) {
    out.pack_uint32(change.before - next);
    next = change.before + 1;
    out.pack_uint32(change.metrics);
    const ProcessValues& old = before[change.before].values;
    const ProcessValues& values = now.processes[change.now].values;
    forEachMetric<ProcessMetric>(change.metrics, [&](ProcessMetric metric) {
      out.pack_int64(static_cast<std::int64_t>(scaled(values, metric, shift) - scaled(old, metric, shift)));
    });
  }
}

// Without the zeros at the end.
void packDurations(const FaultDurations& before, const FaultDurations& now, Packer& out) {
  const auto grown = [](std::uint64_t from, std::uint64_t to) { return static_cast<std::int64_t>(to - from); };
  std::uint32_t used = FaultDurations::kBuckets;
  while (used > 0 && before.faults[used - 1] == now.faults[used - 1]) --used;
  out.pack_array(1 + used);
  out.pack_int64(grown(before.ns, now.ns));
  for (std::uint32_t i = 0; i < used; ++i) out.pack_int64(grown(before.faults[i], now.faults[i]));
}

// Upper bound of the bytes that packProcess(), or a change in packChanged(), needs for this process.
std::size_t maxBytes(const ProcessSample& process) {
  constexpr std::size_t kFixed = 5 + 5 + 9 + 5 + 5 + 5;  // array, pid, start time, headers of two texts, mask
  return kFixed + process.name.size() + process.service.size() +
         9 * static_cast<std::size_t>(std::popcount(process.values.present()));
}

}  // namespace

void packProcess(unsigned shift, const ProcessSample& process, Packer& out) {
  const std::uint32_t present = process.values.present();
  const bool hasService = !process.service.empty();
  out.pack_array(4 + static_cast<std::uint32_t>(std::popcount(present)) + (hasService ? 1 : 0));
  out.pack_uint32(process.key.pid);
  out.pack_uint64(process.key.startTime);
  packBinary(out, process.name);
  out.pack_uint32(present);
  forEachMetric<ProcessMetric>(present,
                               [&](ProcessMetric metric) { out.pack_uint64(scaled(process.values, metric, shift)); });
  if (hasService) packBinary(out, process.service);
}

unsigned byteShift(const Snapshot& snapshot) {
  std::uint64_t all = 0;
  for (const auto* processes : {&snapshot.processes, &snapshot.exited}) {
    for (const ProcessSample& process : *processes) {
      forEachMetric<ProcessMetric>(process.values.present() & kInBytes,
                                   [&](ProcessMetric metric) { all |= *process.values.get(metric); });
    }
  }
  return std::countr_zero(all) >= static_cast<int>(kPageShift) ? kPageShift : 0U;
}

namespace {

std::span<const ProcessSample> fittingInto(std::size_t& room, std::span<const ProcessSample> processes) {
  std::size_t count = 0;
  while (count < std::min(processes.size(), kMaxProcesses)) {
    const std::size_t size = maxBytes(processes[count]);
    if (size > room) break;
    room -= size;
    ++count;
  }
  return processes.first(count);
}

SystemValues withLeftOut(const Snapshot& now, const Fitting& fitting) {
  SystemValues values = now.system;
  const std::size_t all = now.processes.size() + now.exited.size();
  const std::size_t fit = fitting.processes.size() + fitting.exited.size();
  if (all > fit) values.set(SystemMetric::ProcessesLeftOut, all - fit);
  return values;
}

}  // namespace

Fitting fitting(const Snapshot& snapshot) {
  constexpr std::size_t kMaxGoneBytes = 5 * kMaxProcesses;
  constexpr std::size_t kMaxOtherBytes = 1024;
  std::size_t room = kMaxPayload - kMaxGoneBytes - kMaxOtherBytes;
  Fitting result;
  result.processes = fittingInto(room, snapshot.processes);
  result.exited = fittingInto(room, snapshot.exited);
  return result;
}

void packSnapshot(const SnapshotPacket& packet, const SnapshotDiff& diff, Packer& out) {
  const Snapshot& now = packet.now;
  out.pack_array(kSnapshotFields + (now.faultDurations ? 1 : 0));
  out.pack_uint64(packet.sequence);
  out.pack_int64(now.time.sinceEpoch.count());
  out.pack_int64(now.wallTime.sinceEpoch.count());
  out.pack_int64(now.suspended.count());
  out.pack_int64(now.scan.count());
  out.pack_uint32(packet.shift);
  packSystem(withLeftOut(now, packet.fitting), out);
  packGone(diff.gone, out);
  packChanged(packet.shift, packet.before, now, diff, out);
  out.pack_array(static_cast<std::uint32_t>(diff.whole.size()));
  for (const std::uint32_t index : diff.whole) packProcess(packet.shift, now.processes[index], out);
  out.pack_array(static_cast<std::uint32_t>(packet.fitting.exited.size()));
  for (const ProcessSample& process : packet.fitting.exited) packProcess(packet.shift, process, out);
  if (now.faultDurations) packDurations(packet.durationsBefore, *now.faultDurations, out);
}

}  // namespace faultline::wire
