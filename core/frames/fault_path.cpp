#include "core/frames/fault_path.h"

#include <algorithm>

#include "core/frames/recent.h"

namespace faultline {

std::optional<FaultPath> faultPathOf(const JudgedFrame& judged) {
  const GameFrame& frame = judged.frame;
  const auto all = frame.time(FrameMetric::FaultTime);
  const auto own = frame.time(FrameMetric::ThreadFaultTime);
  const auto awaited = frame.time(FrameMetric::ThreadAwaitedFaultTime).value_or(Nanoseconds(0));
  if (!judged.verdict.lateByFaults || !all || !own) return std::nullopt;
  const double others = inNs(*all) - inNs(*own);
  const double share = others > 0 ? std::clamp(inNs(awaited) / others, 0.0, 1.0) : 0;
  if (share < kNotableShare) return FaultPath{.thread = frame.thread};
  return FaultPath{.thread = frame.thread, .ofOthers = share, .clear = share >= kMostOfExcess || *own >= awaited};
}

}  // namespace faultline
