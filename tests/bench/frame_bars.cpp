// Painting ten minutes of a game's frames. Goal: where a pixel column stands for many frames, ten times as many frames
// take less than 1.5 times as long.
#include <QApplication>
#include <QImage>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "app/tray/frames/bars/widget.h"

namespace {

using namespace faultline;
using namespace std::chrono_literals;

constexpr Nanoseconds kLength = 10min;
constexpr int kRounds = 60;
constexpr double kGoal = 1.5;

void fill(FrameHistory& history, std::uint64_t frames) {
  FrameJudge judge{FrameRules{}};
  const Nanoseconds each = kLength / static_cast<std::int64_t>(frames);
  for (std::uint64_t n = 0; n < frames; ++n) {
    const bool burst = n % 50 == 0;
    GameFrame frame;
    frame.number = n;
    frame.start = MonotonicTime{1h + static_cast<std::int64_t>(n) * each};
    frame.duration = each - Nanoseconds((n * 2654435761U >> 7U) % 100'000);
    frame.values.set(FrameMetric::MinorFaults, burst ? 2000 : 16);
    frame.values.set(FrameMetric::FaultTime, burst ? each / 2 : each / 100);
    history.add({frame, judge.judge(frame)});
  }
}

double medianPaint(std::uint64_t frames) {
  FrameHistory history;
  fill(history, frames);
  TimeView view(nullptr, 20ms);
  FrameBars bars(history, view);
  bars.setBudget(FrameRules().budget);
  bars.resize(1180, 380);
  bars.show();
  bars.refresh();
  view.showAll();
  QImage screen(bars.size(), QImage::Format_RGB32);
  std::vector<double> ms;
  for (int i = 0; i < kRounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    bars.render(&screen);
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(ms);
  return ms[ms.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication qt(argc, argv);
  const double few = medianPaint(6'000);
  const double some = medianPaint(60'000);
  const double many = medianPaint(600'000);
  std::printf("frame bars, 1180 x 380, ten minutes of 6 000, 60 000, 600 000 frames: %.2f, %.2f, %.2f ms\n", few, some,
              many);
  std::printf("goal a ratio of the last two under %.1f: %s (%.2f)\n", kGoal,
              many < kGoal * some ? "reached" : "NOT REACHED", many / some);
  return 0;
}
