#include "core/model/watch_request.h"

#include <algorithm>
#include <array>

namespace faultline {
namespace {

constexpr std::array<std::string_view, 5> kFrameEnds{"header", "uprobe", "assumed", "log", "other"};
constexpr std::array<std::string_view, 4> kSampleModes{"none", "spikes", "some", "all"};

}  // namespace

std::string_view wireName(FrameEnd end) {
  return kFrameEnds[static_cast<std::size_t>(end)];
}

FrameEnd frameEndOf(std::string_view wireName) {
  const auto found = std::ranges::find(kFrameEnds, wireName);
  return found == kFrameEnds.end() ? FrameEnd::Other : static_cast<FrameEnd>(found - kFrameEnds.begin());
}

std::string_view nameOf(SampleMode mode) {
  return kSampleModes[static_cast<std::size_t>(mode)];
}

std::optional<SampleMode> sampleModeOf(std::string_view name) {
  const auto found = std::ranges::find(kSampleModes, name);
  if (found == kSampleModes.end()) return std::nullopt;
  return static_cast<SampleMode>(found - kSampleModes.begin());
}

}  // namespace faultline
