#include "core/trial/frame_medians.h"

#include "core/base/median.h"

namespace faultline {
namespace {

double share(std::uint64_t part, const FrameFigures& figures) {
  return static_cast<double>(part) / static_cast<double>(figures.frames);
}

}  // namespace

std::optional<FrameMedians> frameMedians(const std::vector<TrialSample>& samples) {
  std::vector<TrialSample> seen;
  for (const TrialSample& sample : samples)
    if (sample.frames) seen.push_back(sample);
  if (seen.empty()) return std::nullopt;
  const auto of = [&seen](auto figure) {
    std::vector<double> values;
    for (const TrialSample& sample : seen)
      if (const std::optional<double> value = figure(*sample.frames)) values.push_back(*value);
    return median(std::move(values));
  };
  std::vector<double> processor;
  for (const TrialSample& sample : seen) processor.push_back(processorPerFrame(sample));
  return FrameMedians{
      .frames = *of([](const FrameFigures& figures) { return static_cast<double>(figures.frames); }),
      .late = *of([](const FrameFigures& figures) { return share(figures.late, figures); }),
      .lateByMemory = *of([](const FrameFigures& figures) { return share(figures.lateByMemory, figures); }),
      .faults = *of([](const FrameFigures& figures) { return figures.faultsPerFrame(); }),
      .mean = *of([](const FrameFigures& figures) { return figures.mean; }),
      .p50 = *of([](const FrameFigures& figures) { return figures.p50; }),
      .p99 = *of([](const FrameFigures& figures) { return figures.p99; }),
      .low = *of([](const FrameFigures& figures) { return figures.low; }),
      .processor = *median(std::move(processor)),
      .inFaults = of([](const FrameFigures& figures) { return figures.inFaults; }),
      .inFaultsAbout = of([](const FrameFigures& figures) { return figures.inFaultsAbout; }),
      .teardown = of([](const FrameFigures& figures) { return figures.teardown; }),
      .zeroedBytes = of([](const FrameFigures& figures) { return figures.zeroedBytes; })};
}

}  // namespace faultline
