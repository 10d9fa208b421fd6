#include "core/recording/spike_list.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/model/snapshot.h"
#include "core/stream/snapshot_codec.h"

namespace faultline {
namespace {

constexpr std::uint32_t kFields = 12;
constexpr std::uint32_t kFieldsOfFreed = 2;  // may follow
constexpr double kRateSteps = 1000;          // per second

enum Flag : std::uint8_t { Open = 1, Again = 2, ZeroedEstimated = 4, TeardownEstimated = 8 };

std::uint64_t steps(double perSecond) {
  return static_cast<std::uint64_t>(std::llround(std::clamp(perSecond, 0.0, 1e15) * kRateSteps));
}

bool judged(SpikeOf of, ProcessMetric metric) {
  if (of == SpikeOf::ZeroingThreads) return metric == ProcessMetric::ZeroingTime;
  if (of == SpikeOf::ZeroedList) return metric == ProcessMetric::MinorFaults;
  return std::ranges::find(kSpikeMetrics, metric) != kSpikeMetrics.end();
}

void pack(const Spike& spike, wire::Packer& out) {
  out.pack_array(kFields + (spike.freed ? kFieldsOfFreed : 0));
  wire::packProcess(0, {spike.key, spike.name, spike.cost, spike.parent}, out);
  out.pack_uint64(spike.id);
  out.pack_uint8(static_cast<std::uint8_t>(spike.of));
  out.pack_uint8(static_cast<std::uint8_t>(spike.metric));
  out.pack_int64(spike.start.sinceEpoch.count());
  out.pack_int64((spike.peakTime - spike.start).count());
  out.pack_int64((spike.end - spike.start).count());
  out.pack_int64(spike.wallStart.sinceEpoch.count());
  out.pack_uint64(steps(spike.peakPerSecond));
  out.pack_uint64(steps(spike.usualPerSecond));
  out.pack_uint64(spike.faults);
  out.pack_uint8(static_cast<std::uint8_t>((spike.open ? Open : 0) | (spike.again ? Again : 0) |
                                           (spike.zeroedEstimated ? ZeroedEstimated : 0) |
                                           (spike.teardownEstimated ? TeardownEstimated : 0)));
  if (!spike.freed) return;
  wire::packProcess(0, {spike.freed->key, spike.freed->name, {}, {}}, out);
  out.pack_uint64(spike.freed->bytes);
}

Spike read(wire::TokenReader& in) {
  Spike spike;
  const std::uint32_t fields = in.array();
  ProcessSample process;
  wire::readProcess(in, 0, process);
  spike.key = process.key;
  spike.name = std::move(process.name);
  spike.cost = process.values;
  spike.parent = std::move(process.service);
  spike.id = in.u64();
  const std::uint64_t of = in.u64();
  const std::uint64_t metric = in.u64();
  spike.of = static_cast<SpikeOf>(of);
  spike.metric = static_cast<ProcessMetric>(metric);
  spike.start.sinceEpoch = in.time();
  spike.peakTime = spike.start + in.time();
  spike.end = spike.start + in.time();
  spike.wallStart.sinceEpoch = in.time(wire::kLatestWall);
  spike.peakPerSecond = static_cast<double>(in.u64()) / kRateSteps;
  spike.usualPerSecond = static_cast<double>(in.u64()) / kRateSteps;
  spike.faults = in.u64();
  const std::uint64_t flags = in.u64();
  spike.open = (flags & Open) != 0;
  spike.again = (flags & Again) != 0;
  spike.zeroedEstimated = (flags & ZeroedEstimated) != 0;
  spike.teardownEstimated = (flags & TeardownEstimated) != 0;
  std::uint32_t known = kFields;
  if (fields >= kFields + kFieldsOfFreed) {
    known += kFieldsOfFreed;
    wire::readProcess(in, 0, process);
    spike.freed = FreedMemory{process.key, std::move(process.name), in.u64()};
  }
  if (fields < kFields || of > static_cast<std::uint64_t>(SpikeOf::ZeroedList) || metric >= kProcessMetricCount ||
      !judged(spike.of, spike.metric))
    in.fail();
  else in.skip(fields - known);
  return spike;
}

}  // namespace

void packSpikes(const std::vector<Spike>& spikes, wire::Packer& out) {
  out.pack_array(static_cast<std::uint32_t>(spikes.size()));
  for (const Spike& spike : spikes) pack(spike, out);
}

std::optional<std::vector<Spike>> readSpikes(wire::TokenReader& in) {
  std::vector<Spike> spikes;
  for (std::uint32_t left = in.array(); left > 0 && in.ok(); --left) {
    Spike spike = read(in);
    if (!spikes.empty() && spike.id <= spikes.back().id) in.fail();
    spikes.push_back(std::move(spike));
  }
  return in.ok() ? std::optional(std::move(spikes)) : std::nullopt;
}

}  // namespace faultline
