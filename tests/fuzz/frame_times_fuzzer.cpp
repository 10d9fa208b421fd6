// Frame times that anybody's program wrote: whatever is taken for a frame can be one, and can be joined.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/join/frame_align.h"
#include "core/join/frame_join.h"
#include "core/join/presentmon_stream.h"
#include "core/join/times_text.h"

namespace {

using namespace faultline;

void demand(bool condition) {
  if (!condition) std::abort();
}

// The log as a recording of itself, a millisecond of faults each.
void join(const FrameTimes& times) {
  std::vector<GameFrame> recorded;
  for (const FrameSpan& span : times.frames) {
    GameFrame frame;
    frame.start = {span.start};
    frame.duration = span.duration;
    frame.values.set(FrameMetric::MinorFaults, 16);
    recorded.push_back(frame);
  }
  const JoinedFrames joined = joinFrames(times.frames, recorded, {});
  demand(joined.frames.size() + joined.outside == times.frames.size());
  constexpr std::size_t kEnough = 2000;
  if (recorded.size() < kEnough) (void)alignFrames(times.frames, recorded);
}

// The text as a running PresentMon would write it, in two pieces.
void stream(std::string_view text) {
  PresentMonStream stream(4711, 1e7);
  std::vector<FrameSpan> frames;
  const std::size_t half = text.size() / 2;
  if (stream.feed(text.substr(0, half), frames)) (void)stream.feed(text.substr(half), frames);
  for (const FrameSpan& span : frames)
    demand(span.duration >= Nanoseconds(0) && std::chrono::abs(span.start) < kLatest && span.duration < kLatest);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)localTimeInName(text);
  stream(text);
  const auto csv = timesText("times.csv", std::string(text));
  const auto all = csv ? parseFrameTimes(*csv) : Result<std::vector<FrameTimes>>(tl::unexpected(csv.error()));
  if (!all) return 0;
  demand(!all->front().frames.empty());
  for (const FrameTimes& times : *all) {
    demand(std::ranges::is_sorted(times.frames, {}, &FrameSpan::start));
    for (const FrameSpan& span : times.frames)
      demand(span.duration >= Nanoseconds(0) && std::chrono::abs(span.start) < kLatest && span.duration < kLatest);
    join(times);
  }
  return 0;
}
