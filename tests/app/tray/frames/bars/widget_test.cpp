#include "app/tray/frames/bars/widget.h"

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>
#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

using namespace std::chrono_literals;

}  // namespace

TEST_CASE("The tooltip of a bar tells all parts of its frame, as the terminal does") {
  GameFrame frame;
  frame.number = 300;
  frame.start = MonotonicTime{10s};
  frame.duration = 30ms;
  frame.values.setThreadTime(ThreadTime{.inFaults = {12ms, 1ms, 1ms}, .waiting = 3ms, .sleeping = 5ms});
  frame.values.set(FrameMetric::FaultTime, 14ms);
  frame.values.set(FrameMetric::ThreadTeardownTime, 4ms);
  FrameHistory history;
  REQUIRE(history.add({frame, FrameVerdict{}}));
  TimeView view(nullptr, 20ms);
  FrameBars bars(history, view);
  bars.resize(400, 200);
  bars.show();
  bars.refresh();
  view.showAll();
  static_cast<void>(bars.grab());
  const auto tipAt = [&](const QPoint& at) {
    QHelpEvent event(QEvent::ToolTip, at, bars.mapToGlobal(at));
    QApplication::sendEvent(&bars, &event);
    return QToolTip::isVisible() ? QToolTip::text() : QString();
  };
  const QString tip = tipAt(bars.rect().center());
  CAPTURE(tip.toStdString());
  for (const char* part :
       {"12.0 ms in faults on a processor", "2.00 ms waiting in faults", "4.00 ms giving memory back",
        "3.00 ms waiting for a processor", "5.00 ms asleep", "4.00 ms other"})
    CHECK(tip.contains(QString::fromUtf8(part)));
}

TEST_CASE("The line in the plot is the deadline of the newest visible frame, else the budget") {
  FrameHistory history;
  TimeView view(nullptr, 20ms);
  FrameBars bars(history, view);
  bars.setBudget(8ms);
  CHECK(bars.deadline() == FrameDeadline{8ms, DeadlineBy::Given});
  GameFrame frame;
  frame.start = MonotonicTime{10s};
  frame.duration = 30ms;
  for (const FrameDeadline& deadline :
       {FrameDeadline{8ms, DeadlineBy::Given}, FrameDeadline{28'571us, DeadlineBy::Cadence}}) {
    ++frame.number;
    FrameVerdict verdict;
    verdict.deadline = deadline;
    REQUIRE(history.add({frame, verdict}));
    frame.start = frame.start + frame.duration;
  }
  bars.refresh();
  CHECK(bars.deadline() == FrameDeadline{28'571us, DeadlineBy::Cadence});
  view.setSpan(20ms);
  view.standAt(MonotonicTime{10s + 10ms});
  CHECK(bars.deadline() == FrameDeadline{8ms, DeadlineBy::Given});
}

}  // namespace faultline
