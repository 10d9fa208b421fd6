#include "app/tray/settings_dialog.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("Tab goes through the settings from top to bottom and leaves none out") {
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
  REQUIRE(all.size() == 12);
  for (QWidget* widget : all) CHECK(order.contains(widget));
  const auto place = [&](const QWidget* widget) { return widget->mapTo(&dialog, QPoint(0, 0)).y(); };
  CHECK(std::ranges::is_sorted(order, {}, place));
}
