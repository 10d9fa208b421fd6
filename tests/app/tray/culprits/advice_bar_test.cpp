#include "app/tray/culprits/advice_bar.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/culprits/panel.h"

namespace faultline {
namespace {

Advice someAdvice(AdviceKind kind) {
  return {.kind = kind,
          .frames = 10,
          .timed = true,
          .share = 0.81,
          .line = "Level::load (level.cpp:212)",
          .late = true,
          .lateness = 9e6,
          .gain = 8.4e6};
}

}  // namespace

TEST_CASE("Advice is a sentence below the culprits, with a button where it can be tried") {
  CulpritPanel panel;
  panel.resize(500, 400);
  panel.show({}, std::make_shared<const Culprits>());
  static_cast<QWidget&>(panel).show();
  auto* const bar = panel.findChild<AdviceBar*>();
  auto* const button = bar->findChild<QPushButton*>();
  CHECK_FALSE(bar->isVisible());
  panel.advise(someAdvice(AdviceKind::Keep));
  CHECK(bar->isVisible());
  CHECK(button->isVisible());
  CHECK(bar->text().contains(QStringLiteral("in Level::load (level.cpp:212): keep it, or take it from a pool")));
  CHECK_FALSE(bar->text().contains(QStringLiteral("faultline-cli")));
  const QSignalSpy asked(&panel, &CulpritPanel::tryRequested);
  QTest::mouseClick(button, Qt::LeftButton);
  CHECK(asked.count() == 1);
  Advice mapped = someAdvice(AdviceKind::Keep);
  mapped.malloc = ServedByMalloc::No;
  panel.advise(mapped);
  CHECK_FALSE(button->isVisible());
  panel.advise(someAdvice(AdviceKind::NoCopies));
  CHECK(bar->isVisible());
  CHECK_FALSE(button->isVisible());
  panel.advise(std::nullopt);
  CHECK_FALSE(bar->isVisible());
}

}  // namespace faultline
