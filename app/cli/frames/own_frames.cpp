#include "app/cli/frames/own_frames.h"

#include "app/cli/stream/collector.h"
#include "core/watch/options.h"
#include "platform/host/mark_finder.h"
#include "platform/host/processes.h"
#include "resources/faultline_frame.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

FrameFindings watched(std::string title, const CommonOptions& common, WatchOptions options) {
  FrameFindings findings{.title = std::move(title), .game = {}, .why = {}};
  options.pid = ownProcess();
  options.samples = SampleMode::Spikes;
  auto stream = CollectorStream::start(common, watchArguments(options), 0s);
  if (!stream) {
    findings.why = stream.error().message;
    return findings;
  }
  const auto event = stream->waitForEvent();
  if (event && std::holds_alternative<Hello>(*event)) findings.game = std::get<Hello>(*event).watched;
  if (!findings.game) findings.why = stream->whyEnded().message;
  return findings;
}

FrameFindings byFunction(const CommonOptions& common) {
  const std::string title = "By the calls of a function";
  const auto function = MarkFinder().find(ownProcess(), {.file = "libc.so.6", .function = "getppid"});
  if (function) return watched(title, common, {.probes = {*function}});
  return {.title = title, .game = {}, .why = function.error().message};
}

}  // namespace

std::vector<FrameFindings> examineFrames(const CommonOptions& options) {
  faultline_frame("doctor");
  return {watched("By the game's own marks (faultline_frame.h)", options, {.patience = 10s}), byFunction(options)};
}

}  // namespace faultline
