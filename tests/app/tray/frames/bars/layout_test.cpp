#include "app/tray/frames/bars/layout.h"

#include <catch2/catch_test_macros.hpp>

#include "app/tray/frames/bars/flagged.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr double kLineHeight = 10;
constexpr double kLabelWidth = 30;

// Frames of 10 ms, one after the other. Frames hit by faults last 40 ms, of which 30 ms are in faults.
struct Scene {
  explicit Scene(std::uint64_t frames, std::uint64_t everyHit) {
    for (std::uint64_t n = 0; n < frames; ++n) {
      const bool hit = n % everyHit == everyHit - 1;
      GameFrame frame;
      frame.number = n;
      frame.start = end;
      frame.duration = hit ? 40ms : 10ms;
      for (const FrameMetric faults : {FrameMetric::MinorFaults, FrameMetric::ThreadMinorFaults})
        frame.values.set(faults, hit ? 500 : 5);
      for (const FrameMetric inFaults : {FrameMetric::FaultTime, FrameMetric::ThreadFaultTime})
        frame.values.set(inFaults, hit ? 30ms : 0ms);
      end = frame.start + frame.duration;
      history.add({frame, judge.judge(frame)});
    }
    view.setData(history.oldest(), history.newest());
    view.showAll();
    layout.setBudget(FrameRules().budget);
    layout.setSize({800, 300}, kLineHeight, kLabelWidth, 1);
    layout.update();
  }

  FrameHistory history;
  FrameJudge judge{FrameRules{}};
  TimeView view{nullptr, 20ms};
  BarLayout layout{history, view};
  MonotonicTime end{10s};
};

}  // namespace

TEST_CASE("Frames wider than three pixels have bars of their own, side by side in both rows") {
  const Scene scene(20, 10);
  const auto& bars = scene.layout.bars();
  REQUIRE(bars.size() == 20);
  CHECK(bars.front().left == scene.layout.durations().left());
  CHECK(bars.back().right == scene.layout.durations().right());
  for (std::size_t i = 1; i < bars.size(); ++i) CHECK(bars[i].left == bars[i - 1].right);
  CHECK(bars[9].frames.mostFaults == 500);
  CHECK(scene.layout.durations().bottom() + kLineHeight == scene.layout.faults().top());
  CHECK(scene.layout.mostMs() >= 40);
}

TEST_CASE("Narrower frames share a column per pixel, which keeps its longest frame") {
  const Scene scene(20'000, 1000);
  const auto& bars = scene.layout.bars();
  CHECK(bars.size() >= static_cast<std::size_t>(scene.layout.durations().width()) - 1);
  CHECK(bars.size() <= static_cast<std::size_t>(scene.layout.durations().width()) + 2);
  std::size_t tall = 0;
  for (const FrameBar& bar : bars) tall += bar.frames.duration == 40ms ? 1 : 0;
  CHECK(tall >= 20);
}

TEST_CASE("Columns that were laid out before are those of a new layout while frames come and the oldest are dropped") {
  Scene scene(20'000, 1000);
  FrameHistory history(scene.history.bytes() / 2);
  TimeView view(nullptr, 20ms);
  BarLayout kept(history, view);
  view.setSpan(60s);
  const auto layOut = [](BarLayout& layout) {
    layout.setBudget(FrameRules().budget);
    layout.setSize({800, 300}, kLineHeight, kLabelWidth, 1);
    layout.update();
  };
  layOut(kept);
  for (std::uint64_t place = 0; place < scene.history.end(); ++place) {
    history.add(scene.history.at(place));
    if (place % 1717 != 0) continue;
    view.setData(history.oldest(), history.newest());
    kept.update();
    BarLayout anew(history, view);
    layOut(anew);
    REQUIRE(kept.bars().size() == anew.bars().size());
    for (std::size_t i = 0; i < anew.bars().size(); ++i) {
      const FrameBar& a = kept.bars()[i];
      const FrameBar& b = anew.bars()[i];
      CHECK((a.left == b.left && a.right == b.right && a.frames.longest == b.frames.longest &&
             a.frames.mostFaults == b.frames.mostFaults && a.frames.flagged == b.frames.flagged));
    }
  }
  CHECK(history.begin() > 0);
}

TEST_CASE("A point on a diamond hits its frame, and a point elsewhere the bar below") {
  const Scene scene(20, 10);
  REQUIRE(scene.layout.diamonds().size() == 2);
  for (const FrameDiamond& diamond : scene.layout.diamonds()) CHECK(scene.layout.placeAt(diamond.at) == diamond.place);
  const FrameBar& fourth = scene.layout.bars()[3];
  const QPointF middle((fourth.left + fourth.right) / 2, scene.layout.durations().bottom());
  CHECK(scene.layout.placeAt(middle) == 3);
  CHECK_FALSE(scene.layout.placeAt({0, 0}).has_value());
}

TEST_CASE("Of diamonds closer together than their width one is left") {
  const Scene scene(4000, 4);
  const auto& diamonds = scene.layout.diamonds();
  REQUIRE(diamonds.size() > 10);
  for (const FrameDiamond& a : diamonds)
    for (const FrameDiamond& b : diamonds) CHECK((&a == &b || std::abs(a.at.x() - b.at.x()) >= 11));
}

TEST_CASE("The search for the next frame hit by faults finds each, in both directions") {
  const Scene scene(100, 30);
  CHECK(nextFlagged(scene.history, std::nullopt, -1) == 89);
  CHECK(nextFlagged(scene.history, 89, -1) == 59);
  CHECK(nextFlagged(scene.history, 30, -1) == 29);
  CHECK_FALSE(nextFlagged(scene.history, 29, -1).has_value());
  CHECK(nextFlagged(scene.history, 29, 1) == 59);
  CHECK_FALSE(nextFlagged(scene.history, 89, 1).has_value());
}

}  // namespace faultline
