#include "core/perfetto/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace faultline {

std::uint64_t FaultLanes::process(MonotonicTime first, std::string& trace) {
  m_trace.setClocks(first, std::nullopt, trace);
  return m_trace.process({m_pid, 0}, m_name, trace);
}

void FaultLanes::add(const FaultSample& sample, std::string* trace) {
  ++m_all;
  if (trace != nullptr) m_rows.add(sample, process(sample.time, *trace), m_trace, *trace);
  if (!sample.took) return;
  m_faults.push_back({sample.time, *sample.took, sample.thread});
  if (!sample.threadName.empty()) m_names[sample.thread] = sample.threadName;
}

void FaultLanes::addRun(const LaneRun& run, const LaneSummary* summary, std::string& trace) {
  const std::uint64_t parent = process(run.from, trace);
  ProtobufMessage slice = perfettoEvent(run.name, "run");
  m_trace.addSlice(m_trace.slices(parent, "Runs", trace), slice, run.from, run.to, trace);
  if (summary == nullptr) return;
  for (const JointResume& joint : summary->joint) {
    ProtobufMessage instant = perfettoEvent(fmt::format("{} threads resume", joint.threads), "resume");
    m_trace.addEvent(PerfettoEvent::Instant, m_trace.slices(parent, "Resumed together", trace), instant, joint.time,
                     trace);
  }
}

std::vector<LanePicture> FaultLanes::finish(std::span<const LaneRun> runs, std::string* trace) {
  std::vector<LanePicture> pictures;
  for (const LaneRun& run : runs) {
    const auto summary = summarizeLanes(m_faults, run);
    if (trace != nullptr) addRun(run, summary ? &*summary : nullptr, *trace);
    auto picture = summary ? drawLanes(m_faults, m_names, run, *summary) : std::nullopt;
    if (!picture) continue;
    const auto same = std::ranges::find(pictures, run.name, &LanePicture::run);
    if (same == pictures.end()) pictures.push_back(std::move(*picture));
    else if (same->faults < picture->faults) *same = std::move(*picture);
  }
  return pictures;
}

}  // namespace faultline
