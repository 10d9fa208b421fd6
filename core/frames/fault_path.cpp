#include "core/frames/fault_path.h"

#include <algorithm>

#include "core/frames/recent.h"

namespace faultline {

namespace {

double shareOf(Nanoseconds part, double whole) {
  return whole > 0 ? std::clamp(inNs(part) / whole, 0.0, 1.0) : 0;
}

// 1 where the samples do not tell their time.
double shareOfSamples(Nanoseconds part, std::uint32_t thread, std::span<const FaultSample> samples) {
  double whole = 0;
  for (const FaultSample& sample : samples)
    if (sample.thread == thread) whole += inNs(timeOf(sample));
  return whole > 0 ? shareOf(part, whole) : 1;
}

}  // namespace

std::optional<FaultPath> faultPathOf(const JudgedFrame& judged, std::span<const FaultSample> samples) {
  const GameFrame& frame = judged.frame;
  const auto all = frame.time(FrameMetric::FaultTime);
  const auto own = frame.time(FrameMetric::ThreadFaultTime);
  const auto awaited = frame.time(FrameMetric::ThreadAwaitedFaultTime).value_or(Nanoseconds(0));
  const bool known = judged.verdict.lateByFaults || frame.values.has(FrameMetric::ThreadAwaiting);
  if (!known || !all || !own) return std::nullopt;
  const double share = shareOf(awaited, inNs(*all) - inNs(*own));
  if (const auto thread = static_cast<std::uint32_t>(frame.values.orZero(FrameMetric::ThreadAwaitedThread)))
    return FaultPath{.thread = frame.thread,
                     .ofOthers = share,
                     .awaited = thread,
                     .ofAwaited = shareOfSamples(awaited, thread, samples)};
  if (share < kNotableShare) return FaultPath{.thread = frame.thread};
  return FaultPath{.thread = frame.thread, .ofOthers = share, .clear = share >= kMostOfExcess || *own >= awaited};
}

}  // namespace faultline
