#include "core/lanes/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline {
namespace {

// Nanoseconds inside faults, by column.
using ColumnTimes = std::array<double, kLaneColumns>;

std::size_t columnOf(MonotonicTime time, const LaneRun& run) {
  const auto part = static_cast<double>((time - run.from).count()) / static_cast<double>((run.to - run.from).count());
  return std::min(kLaneColumns - 1, static_cast<std::size_t>(std::max(0.0, part) * kLaneColumns));
}

void addTime(const LaneFault& fault, const LaneRun& run, ColumnTimes& times) {
  const double width = static_cast<double>((run.to - run.from).count()) / kLaneColumns;
  const auto begin = static_cast<double>(std::max(Nanoseconds(0), fault.begin() - run.from).count());
  const auto end = static_cast<double>((fault.end - run.from).count());
  for (std::size_t column = columnOf(fault.begin(), run); column <= columnOf(fault.end, run); ++column) {
    const double left = static_cast<double>(column) * width;
    times[column] += std::max(0.0, std::min(end, left + width) - std::max(begin, left));
  }
}

std::vector<std::uint8_t> percentages(const ColumnTimes& times, const LaneRun& run) {
  const double width = static_cast<double>((run.to - run.from).count()) / kLaneColumns;
  std::vector<std::uint8_t> inside;
  inside.reserve(times.size());
  for (const double time : times)
    inside.push_back(static_cast<std::uint8_t>(std::min(100.0, std::ceil(100 * time / width))));
  return inside;
}

std::vector<LanePicture::Resume> resumedOf(const std::vector<JointResume>& joint, const LaneRun& run) {
  std::vector<LanePicture::Resume> resumed;
  for (const JointResume& each : joint) {
    const std::size_t column = columnOf(each.time, run);
    if (resumed.empty() || resumed.back().column != column) resumed.push_back({column, each.threads});
    else resumed.back().threads = std::max(resumed.back().threads, each.threads);
  }
  return resumed;
}

}  // namespace

std::optional<LanePicture> drawLanes(std::span<const LaneFault> faults,
                                     const std::map<std::uint32_t, std::string>& names, const LaneRun& run,
                                     const LaneSummary& summary) {
  if (run.to <= run.from) return std::nullopt;
  std::map<std::uint32_t, LanePicture::Lane> lanes;
  std::map<std::uint32_t, ColumnTimes> times;
  for (const LaneFault& fault : faults) {
    if (fault.end < run.from || fault.end > run.to) continue;
    LanePicture::Lane& lane = lanes[fault.thread];
    ++lane.faults;
    lane.longest = std::max(lane.longest, fault.took);
    addTime(fault, run, times[fault.thread]);
  }
  if (lanes.empty()) return std::nullopt;
  LanePicture picture{.run = run.name, .took = run.to - run.from, .sentence = laneText(summary)};
  for (auto& [thread, lane] : lanes) {
    const auto name = names.find(thread);
    lane.thread = name == names.end() ? fmt::format("thread {}", thread) : fmt::format("{} ({})", name->second, thread);
    lane.inside = percentages(times[thread], run);
    picture.faults += lane.faults;
    picture.lanes.push_back(std::move(lane));
  }
  picture.resumed = resumedOf(summary.joint, run);
  return picture;
}

}  // namespace faultline
