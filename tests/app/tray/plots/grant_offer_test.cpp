#include "app/tray/plots/grant_offer.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/plots/stack.h"
#include "tests/app/tray/fake_collector.h"

using namespace faultline;

namespace {

// Plots for a collector that measures neither zeroing nor fault time, drawn once.
struct Plots {
  explicit Plots(const char* remedy = "Grant it") {
    Hello hello = testHello();
    for (Quality& quality : hello.process) quality = {Grade::Unavailable, "Needs a capability", remedy};
    monitor.ingest(hello);
    for (unsigned i = 0; i < 4; ++i) monitor.ingest(testSnapshot(i));
    stack.resize(600, 400);
    stack.show();
    stack.rebuildNow();
    stack.replot(QCustomPlot::rpImmediateRefresh);
  }
  // The middle of a plot's title line; plots are in this order.
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

TEST_CASE("a click on a plot that needs a permission requests it, if a grant is offered") {
  Plots plots;
  const QSignalSpy asked(&plots.stack, &PlotStack::grantRequested);
  plots.click(2);
  CHECK(asked.count() == 0);
  plots.stack.offerGrant(true);
  plots.click(2);
  CHECK(asked.count() == 1);
  plots.click(1);
  CHECK(asked.count() == 2);
  plots.click(0);
  plots.click(3);
  CHECK(asked.count() == 2);
}

TEST_CASE("both plots that need a permission say so beside a button that requests it") {
  Plots plots;
  const auto buttons = [&] {
    std::vector<QToolButton*> shown;
    for (QToolButton* button : plots.stack.findChildren<QToolButton*>())
      if (button->isVisible()) shown.push_back(button);
    return shown;
  };
  plots.stack.offerGrant(true);
  plots.stack.rebuildNow();
  plots.stack.replot(QCustomPlot::rpImmediateRefresh);
  REQUIRE(buttons().size() == 2);
  const QSignalSpy asked(&plots.stack, &PlotStack::grantRequested);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(buttons()[i]->text() == QStringLiteral("Set up…"));
    CHECK(buttons()[i]->focusPolicy() == Qt::StrongFocus);
    const QRect row = plots.stack.axisRects().at(static_cast<qsizetype>(i) + 1)->outerRect();
    CHECK(row.contains(buttons()[i]->geometry().center()));
    CHECK(buttons()[i]->geometry().left() > row.left() + 100);  // after the sentence
    buttons()[i]->click();
  }
  CHECK(asked.count() == 2);
}

TEST_CASE(
    "plots that no permission fills, as for root without capabilities, say so calmly beside a button for the reason") {
  Plots plots;
  const QSignalSpy why(&plots.stack, &PlotStack::whyRequested);
  const QSignalSpy asked(&plots.stack, &PlotStack::grantRequested);
  plots.click(2);
  CHECK(why.count() == 1);
  GrantOffer offer(plots.stack, plots.monitor);
  for (const Panel panel : {Panel::Time, Panel::Zeroing}) CHECK(offer.note(panel) == QStringLiteral("Not measured ·"));
  CHECK(offer.note(Panel::Faults).isEmpty());
  int shown = 0;
  for (QToolButton* button : plots.stack.findChildren<QToolButton*>()) {
    if (!button->isVisible()) continue;
    CHECK(button->text() == QStringLiteral("Why…"));
    button->click();
    ++shown;
  }
  CHECK(shown == 2);
  CHECK(why.count() == 3);
  CHECK(asked.count() == 0);
}

TEST_CASE("a plot that is not measured says so to the pointer in one sentence, and gives the reason below it") {
  Plots plots;
  const auto told = [&] {
    const auto* rect = plots.stack.axisRects().at(2);
    const QPoint at(rect->left() + 50, rect->outerRect().top() + 5);
    QHelpEvent event(QEvent::ToolTip, at, plots.stack.mapToGlobal(at));
    QApplication::sendEvent(&plots.stack, &event);
    return QToolTip::text();
  };
  CHECK(told().startsWith(QStringLiteral("Not measured on this machine.\n\n")));
  plots.stack.offerGrant(true);
  CHECK(told().startsWith(QStringLiteral("Needs a one-time permission: Set up…, beside the title.\n\n")));
  CHECK(told().contains(QStringLiteral("Needs a capability")));
}

TEST_CASE("plots that nothing can ever fill on this system are not shown, and leave their room to the others") {
  const Plots never("");
  const Plots some;
  const auto heights = [](const Plots& plots) {
    std::vector<int> all;
    for (const QCPAxisRect* rect : plots.stack.axisRects()) all.push_back(rect->outerRect().height());
    return all;
  };
  CHECK(heights(never)[1] <= 1);
  CHECK(heights(never)[2] <= 1);
  CHECK(heights(never)[0] > heights(some)[0]);
  CHECK(heights(never)[0] + heights(never)[3] >= 390);
  CHECK_FALSE(never.stack.axisRects().at(1)->visible());
  CHECK(some.stack.axisRects().at(1)->visible());
  for (const QToolButton* button : never.stack.findChildren<QToolButton*>()) CHECK_FALSE(button->isVisible());
  CHECK(never.stack.spoken().contains(QStringLiteral("Commit")));
  CHECK_FALSE(never.stack.spoken().contains(QStringLiteral("Zeroed")));
}

TEST_CASE("No time of day is shown before the first sample") {
  Monitor monitor;
  monitor.ingest(testHello());
  const Pins pins;
  TimeView view;
  PlotStack stack(monitor, pins, view);
  stack.resize(600, 400);
  stack.show();
  stack.refresh();
  stack.rebuildNow();
  const auto anyTimes = [&] {
    return std::ranges::any_of(stack.axisRects(), [](const QCPAxisRect* rect) {
      const QCPAxis* time = rect->axis(QCPAxis::atBottom);
      return time->visible() && time->tickLabels();
    });
  };
  CHECK_FALSE(anyTimes());
  monitor.ingest(testSnapshot(0));
  stack.refresh();
  stack.rebuildNow();
  CHECK(anyTimes());
}
