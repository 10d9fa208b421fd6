#include "app/tray/plots/stack.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QToolTip>
#include <QWheelEvent>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct StackFixture {
  StackFixture() {
    for (int i = 0; i < 400; ++i) tick(100);
    plots.resize(800, 400);
    plots.show();
    settle();
  }

  void tick(std::uint64_t faults) {
    stage.add(7, ProcessMetric::MinorFaults, faults);
    stage.tick();
    view.setData(*stage.monitor.history().oldest(), *stage.monitor.history().newest());
    plots.refresh();
  }

  static void settle() {
    for (int i = 0; i < 4; ++i) QApplication::processEvents();
  }

  void press(Qt::Key key) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(&plots, &event);
  }

  void wheel(double x, int angle) {
    QWheelEvent event({x, 100}, plots.mapToGlobal(QPointF(x, 100)), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plots, &event);
  }

  // The words told to a pointer that rests there.
  QString toolTip(QPoint at) {
    QHelpEvent event(QEvent::ToolTip, at, plots.mapToGlobal(at));
    QApplication::sendEvent(&plots, &event);
    return QToolTip::isVisible() ? QToolTip::text() : QString();
  }

  void mouse(QEvent::Type type, QPointF at, Qt::MouseButtons down) {
    QMouseEvent event(type, at, plots.mapToGlobal(at), Qt::LeftButton, down, Qt::NoModifier);
    QApplication::sendEvent(&plots, &event);
  }

  StagedMonitor stage;
  Pins pins;
  TimeView view;
  PlotStack plots{stage.monitor, pins, view};
  QSignalSpy replots{&plots, &QCustomPlot::afterReplot};
};

}  // namespace

TEST_CASE("Hidden plots are not rebuilt, and are made up to date once when shown") {
  StackFixture f;
  f.plots.hide();
  f.settle();
  f.replots.clear();
  for (int i = 0; i < 10; ++i) {
    f.tick(100);
    f.settle();
  }
  f.view.setCursor(f.view.newest());
  f.settle();
  CHECK(f.replots.empty());
  f.view.setCursor(std::nullopt);
  f.plots.show();
  f.settle();
  CHECK(f.replots.size() == 1);
}

TEST_CASE("However much happens in one turn of the event loop, the plots are drawn once") {
  StackFixture f;
  f.replots.clear();
  for (int i = 0; i < 10; ++i) f.tick(100);
  f.pins.toggle({7, 1007});
  f.plots.follow(ProcessKey{7, 1007});
  f.settle();
  CHECK(f.replots.size() == 1);
}

TEST_CASE("The wheel zooms around the pointer, from live too, and stays live at its edge") {
  StackFixture f;
  f.wheel(799, 120);
  CHECK(f.view.span() == 48s);
  CHECK(f.view.live());
  const MonotonicTime before = f.view.from() + f.view.span() / 2;
  f.wheel(430, 120);
  CHECK_FALSE(f.view.live());
  CHECK(std::chrono::abs(f.view.from() + f.view.span() / 2 - before) < 2s);
  f.press(Qt::Key_End);
  f.view.setSpan(48s);
  f.press(Qt::Key_PageUp);
  REQUIRE_FALSE(f.view.live());
  const MonotonicTime middle = f.view.from() + f.view.span() / 2;
  f.wheel(430, -120);
  CHECK(f.view.span() == 60s);
  CHECK(std::chrono::abs(f.view.from() + f.view.span() / 2 - middle) < 2s);
}

TEST_CASE("Dragging pans by as much as the hand moves, and End goes back to live") {
  StackFixture f;
  const MonotonicTime before = f.view.to();
  f.mouse(QEvent::MouseButtonPress, {300, 100}, Qt::LeftButton);
  f.mouse(QEvent::MouseMove, {500, 100}, Qt::LeftButton);
  CHECK_FALSE(f.view.live());
  CHECK(before - f.view.to() > 12s);
  CHECK(before - f.view.to() < 20s);
  f.mouse(QEvent::MouseButtonRelease, {500, 100}, Qt::NoButton);
  const MonotonicTime stands = f.view.to();
  f.tick(100);
  CHECK(f.view.to() == stands);
  f.press(Qt::Key_End);
  CHECK(f.view.live());
}

TEST_CASE("Keys pan, page and zoom") {
  StackFixture f;
  f.press(Qt::Key_Left);
  CHECK(f.view.newest() - f.view.to() == 6s);
  f.press(Qt::Key_Right);
  CHECK(f.view.live());
  f.press(Qt::Key_Minus);
  CHECK(f.view.span() == 120s);
  f.press(Qt::Key_Plus);
  CHECK(f.view.span() == 60s);
  f.press(Qt::Key_Home);
  CHECK(f.view.from() == f.view.oldest());
}

TEST_CASE("The scale fits at once when a hand zooms or follows a process, though the picture stands still") {
  StackFixture f;
  const auto top = [&] {
    f.settle();
    return f.plots.axisRect(static_cast<int>(Panel::Faults))->axis(QCPAxis::atLeft)->range().upper;
  };
  f.tick(200'000);
  for (int i = 0; i < 60; ++i) f.tick(100);
  CHECK(top() > 400'000);
  f.view.setSpan(10s);
  CHECK(top() < 1000);
  f.stage.process(8);
  f.tick(100);
  f.stage.add(8, ProcessMetric::MinorFaults, 50'000);
  f.tick(100);
  CHECK(top() > 100'000);
  f.plots.follow(ProcessKey{7, 1007});
  CHECK(top() < 1000);
  f.plots.follow(std::nullopt);
  CHECK(top() > 100'000);
}

TEST_CASE("The dashed line of major faults leaves the axis only where there are some") {
  StackFixture f;
  const auto zeros = [&] {
    f.settle();
    const QCPGraph& major = *f.plots.graph(1);
    REQUIRE(major.pen().style() == Qt::DashLine);
    int drawn = 0;
    for (auto p = major.data()->constBegin() + 1; p < major.data()->constEnd(); ++p)
      drawn += p->value == 0 && (p - 1)->value == 0 ? 1 : 0;
    return drawn;
  };
  CHECK(zeros() == 0);
  f.stage.add(7, ProcessMetric::MajorFaults, 40);
  f.tick(100);
  for (int i = 0; i < 20; ++i) f.tick(100);
  CHECK(zeros() == 0);
  const auto& data = *f.plots.graph(1)->data();
  CHECK(std::any_of(data.constBegin(), data.constEnd(), [](const QCPGraphData& p) { return p.value > 0; }));
}

TEST_CASE("Times have their day where more than one is shown") {
  StackFixture f;
  const auto labels = [&] {
    f.settle();
    return f.plots.axisRect(static_cast<int>(Panel::Commit))->axis(QCPAxis::atBottom)->tickVectorLabels();
  };
  for (const QString& label : labels()) CHECK(label.size() == 8);
  f.stage.time = f.stage.time + 48h;
  f.tick(100);
  f.view.showAll();
  REQUIRE_FALSE(labels().isEmpty());
  for (const QString& label : labels()) CHECK(label.startsWith(QStringLiteral("11-1")));
}

TEST_CASE("A click on a spike announces it, and one beside it stops the view at that instant, where it is") {
  StackFixture f;
  std::vector<Spike> clicked;
  QObject::connect(&f.plots, &PlotStack::spikeClicked, &f.plots, [&](const Spike& s) { clicked.push_back(s); });
  f.tick(200'000);
  for (int i = 0; i < 60; ++i) f.tick(100);
  f.settle();
  REQUIRE(f.stage.monitor.spikes().size() == 1);
  const auto click = [&](double x) {
    f.mouse(QEvent::MouseMove, {x, 60}, Qt::NoButton);
    f.mouse(QEvent::MouseButtonPress, {x, 60}, Qt::LeftButton);
    f.mouse(QEvent::MouseButtonRelease, {x, 60}, Qt::NoButton);
  };
  REQUIRE(f.view.live());
  const MonotonicTime from = f.view.from();
  click(150);
  CHECK(clicked.empty());
  CHECK_FALSE(f.view.live());
  CHECK(f.view.to() == f.view.newest());
  CHECK(f.view.span() == f.view.chosenSpan());
  const auto stopped = f.view.instant();
  REQUIRE(stopped);
  CHECK(*stopped > from);
  f.tick(100);
  f.view.setCursor({});
  CHECK(f.view.instant() == stopped);
  f.view.goLive();
  for (double x = 200; x < 780 && clicked.empty(); x += 10) click(x);
  REQUIRE(clicked.size() == 1);
  CHECK(clicked.front().faults == 200'000);
}

TEST_CASE("Labels and crosshair stay at the table's instant after the pointer has left the plots") {
  StackFixture f;
  f.tick(200'000);
  const MonotonicTime peak = f.stage.time;
  for (int i = 0; i < 60; ++i) f.tick(100);
  f.view.standAt(peak);
  f.view.setCursor(peak);
  f.settle();
  const QString atPeak = QStringLiteral("400 k/s");
  CHECK(f.plots.spoken().contains(atPeak));
  f.mouse(QEvent::MouseMove, {150, 100}, Qt::NoButton);
  CHECK_FALSE(f.plots.spoken().contains(atPeak));
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&f.plots, &leave);
  f.settle();
  REQUIRE(f.view.instant() == peak);
  CHECK(f.plots.spoken().contains(atPeak));
  const auto crosshairs = [&] {
    int shown = 0;
    for (int i = 0; i < f.plots.itemCount(); ++i) {
      const auto* line = qobject_cast<QCPItemStraightLine*>(f.plots.item(i));
      if (line != nullptr && line->visible()) ++shown;
    }
    return shown;
  };
  CHECK(crosshairs() == static_cast<int>(kPanelCount));
  f.press(Qt::Key_End);
  f.settle();
  CHECK(crosshairs() == 0);
}

TEST_CASE("Labels of a picture that stands between two samples show the last sample in view, not a dash") {
  StackFixture f;
  f.view.pan(-6100ms);
  f.settle();
  REQUIRE_FALSE(f.view.live());
  CHECK(f.plots.spoken().contains(QStringLiteral("200/s")));
}

TEST_CASE("Live labels are averages over the usual interval while sweeps come faster, as the figures above are") {
  StackFixture f;
  f.stage.hello.interval = 10 * kStageInterval;
  f.stage.monitor.ingest(f.stage.hello);
  f.stage.system.set(SystemMetric::SweepInterval, static_cast<std::uint64_t>(kStageInterval.count()));
  for (int i = 0; i < 21; ++i) f.tick(100);
  f.tick(9000);
  f.view.goLive();
  f.settle();
  REQUIRE(f.view.live());
  CHECK(f.plots.spoken().contains(QStringLiteral("minor 200/s")));
}

TEST_CASE("The hover over a peak names the five processes that made it, with their shares and the day if needed") {
  StackFixture f;
  for (std::uint32_t pid = 20; pid < 27; ++pid) f.stage.process(pid, "cc" + std::to_string(pid));
  f.tick(0);
  for (std::uint32_t pid = 20; pid < 27; ++pid) f.stage.add(pid, ProcessMetric::MinorFaults, (pid - 16) * 1000);
  f.tick(50);
  for (int i = 0; i < 60; ++i) f.tick(50);
  f.settle();
  const QCPAxisRect& rect = *f.plots.axisRect(static_cast<int>(Panel::Faults));
  const QPoint peak(rect.left() + rect.width() / 2, rect.top() + rect.height() / 2);
  const QStringList lines = f.toolTip(peak).split(QLatin1Char('\n'));
  REQUIRE(lines.size() == 6);
  CHECK(lines[0].size() == QStringLiteral("12:03:11.500, most by").size());
  CHECK(lines[1] == QStringLiteral("20.0 k/s  cc26 (26)"));
  CHECK(lines[5] == QStringLiteral("12.0 k/s  cc22 (22)"));
  f.stage.time = f.stage.time + 48h;
  f.tick(50);
  f.tick(200'000);
  for (int i = 0; i < 60; ++i) f.tick(50);
  f.settle();
  CHECK(f.toolTip(peak).startsWith(QStringLiteral("2023-11-1")));
}

TEST_CASE("A gap in the time of faults says why, and the title says what the plot means") {
  StackFixture f;
  const auto ticks = [&](int count, bool measured) {
    ProcessValues& values = f.stage.process(7).values;
    for (int i = 0; i < count; ++i) {
      values.set(ProcessMetric::FaultTime,
                 measured ? std::optional(values.get(ProcessMetric::MinorFaults).value_or(0) * 900) : std::nullopt);
      f.tick(100);
    }
  };
  ticks(40, true);
  ticks(40, false);
  ticks(40, true);
  f.settle();
  QCPAxisRect& rect = *f.plots.axisRect(static_cast<int>(Panel::Time));
  const int middle = rect.top() + rect.height() / 2;
  const QString why = QStringLiteral("only while Faultline is shown");
  CHECK_FALSE(f.toolTip({rect.left() + rect.width() / 6, middle}).contains(why));
  CHECK(f.toolTip({rect.left() + rect.width() / 2, middle}).contains(why));
  CHECK(f.toolTip({rect.left() + 20, rect.top() - 6}).startsWith(QStringLiteral("Fault time: ")));
}

}  // namespace faultline
