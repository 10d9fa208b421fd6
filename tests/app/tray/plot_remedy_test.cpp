#include <QSignalSpy>
#include <QTest>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/plot_stack.h"
#include "tests/app/tray/fake_collector.h"

using namespace faultline;

namespace {

// Plots of a collector that measures neither zeroing nor fault time, drawn once.
struct Plots {
  Plots() {
    Hello hello = testHello();
    for (Quality& quality : hello.process) quality.how = "Needs a capability";
    monitor.ingest(hello);
    for (unsigned i = 0; i < 4; ++i) monitor.ingest(testSnapshot(i));
    stack.resize(600, 400);
    stack.show();
    stack.rebuildNow();
    stack.replot(QCustomPlot::rpImmediateRefresh);
  }
  // The middle of a plot's title line; the plots lie in this order.
  void click(std::size_t row) {
    const auto* rect = stack.axisRects().at(static_cast<qsizetype>(row));
    QTest::mouseClick(&stack, Qt::LeftButton, {}, QPoint(rect->left() + 200, rect->outerRect().top() + 5));
  }

  Monitor monitor;
  Pins pins;
  TimeView view;
  PlotStack stack{monitor, pins, view};
};

}  // namespace

TEST_CASE("a click on a plot that nobody measures asks for the remedy, where there is one") {
  Plots plots;
  const QSignalSpy asked(&plots.stack, &PlotStack::remedyRequested);
  plots.click(2);
  CHECK(asked.count() == 0);
  plots.stack.offerRemedy(true);
  plots.click(2);
  CHECK(asked.count() == 1);
  plots.click(1);
  CHECK(asked.count() == 2);
  plots.click(0);
  plots.click(3);
  CHECK(asked.count() == 2);
}
