#include "core/watch/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kNamed = 3;
constexpr std::size_t kMostProbes = 16;
constexpr std::int64_t kSampleShare = 40;  // sampling starts at 1/40 of the budget; a frame is flagged at 1/10
constexpr std::string_view kTrueFrames =
    "For true frames call faultline_frame() of faultline_frame.h in the game, or name the function that ends a frame.";

std::vector<std::string> namesOf(const std::vector<ProbePoint>& functions) {
  std::vector<std::string> names;
  for (const ProbePoint& function : functions)
    if (function.calls != ProbeCalls::Lookups) names.push_back(function.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kNamed ? text + fmt::format(" and {} more", names.size() - kNamed) : text;
}

WatchChoice watchFunctions(std::uint32_t pid, std::vector<ProbePoint> functions) {
  WatchChoice choice{.pid = pid, .by = FrameEnd::Function, .functions = std::move(functions)};
  if (choice.functions.size() > kMostProbes) choice.functions.resize(kMostProbes);
  const auto names = namesOf(choice.functions);
  choice.why = names.size() == 1 ? fmt::format("Frames end with {}.", names.front())
                                 : fmt::format("Frames end with the first of these functions that the game calls: {}.",
                                               listed(names));
  return choice;
}

}  // namespace

WatchChoice chooseWatch(std::uint32_t pid, const std::string& who, const FoundMarks& found) {
  if (found.own) return watchOwnMarks(pid);
  if (!found.functions.empty()) return watchFunctions(pid, found.functions);
  if (!found.presentMon.empty()) return watchByPresentMon(pid, found.presentMon);
  if (!found.obstacle.empty()) return watchAtRate(pid, kAssumedRate, found.obstacle);
  return watchAtRate(pid, kAssumedRate,
                     fmt::format("{} marks no frames, and has loaded no known function that presents frames.", who));
}

WatchChoice watchFunction(std::uint32_t pid, ProbePoint function) {
  return watchFunctions(pid, {std::move(function)});
}

WatchChoice watchByPresentMon(std::uint32_t pid, const std::string& program) {
  return {.pid = pid,
          .by = FrameEnd::Log,
          .presentMon = program,
          .why = fmt::format("Frames are those that PresentMon tells ({}).", program)};
}

WatchChoice watchOwnMarks(std::uint32_t pid, const std::string& mark) {
  return {.pid = pid, .by = FrameEnd::OwnMarks, .mark = mark, .why = "Frames end with the game's own marks."};
}

WatchChoice watchAtRate(std::uint32_t pid, std::uint32_t rate, const std::string& reason) {
  const std::string frames = fmt::format("Frames of 1/{} s are assumed.", rate);
  return {.pid = pid,
          .by = FrameEnd::AssumedRate,
          .rate = rate,
          .why = reason.empty() ? frames : fmt::format("{} {} {}", reason, frames, kTrueFrames)};
}

WatchOptions watchOptions(const WatchChoice& choice, Nanoseconds patience, SampleMode samples, Nanoseconds budget) {
  WatchOptions options{.pid = choice.pid, .mark = choice.mark, .probes = choice.functions, .samples = samples};
  if (choice.by == FrameEnd::AssumedRate) options.assumedRate = choice.rate;
  options.presentMon = choice.presentMon;
  if (choice.by == FrameEnd::OwnMarks) options.patience = patience;
  if (samples == SampleMode::Spikes) options.sampleAfter = std::max(budget / kSampleShare, Nanoseconds(1us));
  return options;
}

std::string notCalledText(const WatchChoice& choice) {
  const auto names = namesOf(choice.functions);
  if (names.size() == 1) return names.front() + " has not been called yet.";
  return fmt::format("none of {} has been called yet.", listed(names));
}

std::string waitingText(const WatchChoice& choice) {
  return "Waiting for the first frame: " + notCalledText(choice);
}

}  // namespace faultline
