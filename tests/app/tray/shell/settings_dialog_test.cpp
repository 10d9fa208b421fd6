#include "app/tray/shell/settings_dialog.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

struct Shown {
  Shown() {
    dialog.setVisible(true);
    dialog.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&dialog));
  }
  QAbstractSpinBox& box(int place) { return *dialog.findChildren<QAbstractSpinBox*>().at(place); }
  void type(QAbstractSpinBox& box, const char* text) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, QString::fromUtf8(text));
    QTest::keyClick(&box, Qt::Key_Return);
  }
  QString told() { return dialog.findChild<QLabel*>(QStringLiteral("told"))->text(); }

  QTemporaryDir folder;
  SettingsStore store{folder.filePath(QStringLiteral("settings.ini"))};
  SettingsDialog dialog{store, true};
};

constexpr int kInterval = 0;  // places of boxes
constexpr int kTeardown = 5;
constexpr int kFactor = 6;

}  // namespace

TEST_CASE("Return ends typing in the settings, and presses no button") {
  Shown shown;
  Settings mine = shown.store.get();
  mine.notifySpikes = !mine.notifySpikes;
  mine.spikes.majorPerSecond = 77;
  shown.store.set(mine);
  shown.type(shown.box(kInterval), "250");
  CHECK(shown.store.get().interval == std::chrono::milliseconds(250));
  CHECK(shown.store.get().spikes.majorPerSecond == 77);
  CHECK(shown.store.get().notifySpikes == mine.notifySpikes);
  CHECK(shown.dialog.isVisible());
  for (QCheckBox* box : shown.dialog.findChildren<QCheckBox*>()) QTest::keyClick(box, Qt::Key_Return);
  CHECK(shown.store.get().spikes.majorPerSecond == 77);
  CHECK(shown.dialog.isVisible());
}

TEST_CASE("A number out of range becomes the nearest valid number, and the range is shown") {
  Shown shown;
  CHECK(shown.told().isEmpty());
  shown.type(shown.box(kInterval), "1");
  CHECK(shown.store.get().interval == kShortestInterval);
  CHECK(shown.told().contains(QString::number(kShortestInterval.count())));
  shown.type(shown.box(kInterval), "99999999");
  CHECK(shown.store.get().interval == kLongestInterval);
  CHECK(shown.told().startsWith(QStringLiteral("99999999")));
  CHECK(shown.told().contains(QStringLiteral("out of range")));
  shown.type(shown.box(kFactor), "0.2");
  CHECK(shown.store.get().spikes.factor == 1);
  shown.type(shown.box(kFactor), "5000");
  CHECK(shown.store.get().spikes.factor == 1000);
  for (QAbstractSpinBox* box : shown.dialog.findChildren<QAbstractSpinBox*>())
    CHECK(box->accessibleDescription().contains(QStringLiteral("From ")));
}

TEST_CASE("A threshold of a spike is set in the unit that its box names, and the others stay as they are") {
  Shown shown;
  shown.type(shown.box(kTeardown), "50");
  SpikeOptions wanted;
  wanted.teardownNsPerSecond = 50e6;
  CHECK(shown.store.get().spikes == wanted);
}

TEST_CASE("Restore Defaults restores each setting that the dialog shows") {
  Shown shown;
  for (QAbstractSpinBox* box : shown.dialog.findChildren<QAbstractSpinBox*>()) box->stepUp();
  for (QCheckBox* box : shown.dialog.findChildren<QCheckBox*>())
    if (box->text() != QStringLiteral("Start when I log &in")) box->click();
  for (QComboBox* box : shown.dialog.findChildren<QComboBox*>()) box->setCurrentIndex(1);
  CHECK(shown.store.get() != Settings());
  shown.dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
  CHECK(shown.store.get() == Settings());
}

TEST_CASE("The settings fit on a low screen, with their buttons visible") {
  Shown shown;
  CHECK(shown.dialog.minimumSizeHint().height() <= 400);
  shown.dialog.resize(shown.dialog.width(), 500);
  QApplication::processEvents();
  CHECK(shown.dialog.height() == 500);
  for (const QPushButton* button : shown.dialog.findChildren<QPushButton*>())
    CHECK(shown.dialog.rect().contains(QRect(button->mapTo(&shown.dialog, QPoint(0, 0)), button->size())));
  CHECK(shown.dialog.findChildren<QPushButton*>().size() == 2);
}

TEST_CASE("The wheel changes no number while it scrolls the settings") {
  Shown shown;
  shown.box(kFactor).setFocus();
  QAbstractSpinBox& box = shown.box(kInterval);
  const QPointF at(5, 5);
  QWheelEvent event(at, box.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&box, &event);
  CHECK(shown.store.get().interval == Settings().interval);
  auto& ink = *shown.dialog.findChild<QComboBox*>();
  QApplication::sendEvent(&ink, &event);
  CHECK(ink.currentIndex() == 0);
}

TEST_CASE("Tab visits all settings from top to bottom") {
  const QTemporaryDir folder;
  SettingsStore store(folder.filePath(QStringLiteral("settings.ini")));
  SettingsDialog dialog(store, true);
  dialog.setVisible(true);
  dialog.activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(&dialog));
  QWidget* const first = QApplication::focusWidget();
  REQUIRE(first);
  QList<QWidget*> order{first};
  for (int i = 0; i < 40; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    if (QApplication::focusWidget() == first) break;
    order << QApplication::focusWidget();
  }
  QList<QWidget*> all;
  for (QWidget* widget : dialog.findChildren<QWidget*>())
    if (qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QCheckBox*>(widget) ||
        qobject_cast<QComboBox*>(widget) || qobject_cast<QPushButton*>(widget))
      all << widget;
  REQUIRE(all.size() == 20);
  for (QWidget* widget : all) CHECK(order.contains(widget));
  const auto place = [&](const QWidget* widget) { return widget->mapTo(&dialog, QPoint(0, 0)).y(); };
  CHECK(std::ranges::is_sorted(order, {}, place));
}
