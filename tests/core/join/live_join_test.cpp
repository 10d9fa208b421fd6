#include "core/join/live_join.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

GameFrame slot(Nanoseconds start, std::uint64_t faults) {
  GameFrame frame;
  frame.start = {start};
  frame.duration = 5ms;
  frame.values.set(FrameMetric::MinorFaults, faults);
  frame.values.clear(FrameMetric::MajorFaults);
  return frame;
}

std::vector<GameFrame> taken(LiveJoin& join) {
  std::vector<GameFrame> frames;
  join.take(frames);
  return frames;
}

void add(LiveJoin& join, const std::vector<FrameSpan>& frames) {
  join.addFrames(frames);
}

}  // namespace

TEST_CASE("A frame waits for the faults until its end, and gets those of its time") {
  LiveJoin join;
  for (int i = 0; i < 4; ++i) join.addSlot(slot(i * 5ms, 10));
  add(join, {{0ms, 10ms}, {10ms, 15ms}});
  auto frames = taken(join);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].number == 1);
  CHECK(frames[0].values.minorFaults() == 20);
  CHECK_FALSE(frames[0].values.majorFaults());
  CHECK(join.waiting() == 1);
  join.addSlot(slot(20ms, 100));
  frames = taken(join);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].number == 2);
  CHECK(frames[0].values.minorFaults() == 120);
  CHECK(join.lost() == 0);
}

TEST_CASE("No fault is lost or counted twice over many frames that come late") {
  LiveJoin join;
  std::vector<FrameSpan> frames;
  for (int i = 0; i < 600; ++i) frames.push_back({i * 17ms, 17ms});
  std::uint64_t faults = 0;
  std::uint64_t last = 0;
  for (int i = 0; i < 2100; ++i) {
    join.addSlot(slot(i * 5ms, static_cast<std::uint64_t>(i % 7)));
    if (i % 200 == 199) {  // a second late, up to 60 at once
      const auto from = std::span(frames).subspan(last, std::min<std::size_t>(60, frames.size() - last));
      join.addFrames(from);
      last += from.size();
    }
    for (const GameFrame& frame : taken(join)) faults += frame.values.minorFaults();
  }
  CHECK(last == 600);
  std::uint64_t expected = 0;
  for (int i = 0; i < 2040; ++i) expected += static_cast<std::uint64_t>(i % 7);  // until 10.2 s
  CHECK(faults == expected);
  CHECK(join.lost() == 0);
}

TEST_CASE("Frames before the first slot are left out; those out of order, or too late, are lost") {
  LiveJoin join;
  for (int i = 100; i < 104; ++i) join.addSlot(slot(i * 5ms, 1));
  add(join, {{490ms, 15ms}, {505ms, 5ms}, {500ms, 5ms}, {510ms, 5ms}});
  CHECK(taken(join).size() == 2);
  CHECK(join.lost() == 1);
  for (int i = 104; i < 4000; ++i) join.addSlot(slot(i * 5ms, 1));
  add(join, {{520ms, 5ms}, {19'000ms, 5ms}});
  CHECK(taken(join).size() == 1);
  CHECK(join.lost() == 2);
}

}  // namespace faultline::test
