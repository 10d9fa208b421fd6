#include "app/tray/number_locale.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QLocale>
#include <QTemporaryDir>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/figures_strip.h"
#include "app/tray/plot_items.h"
#include "app/tray/settings_dialog.h"
#include "staged_monitor.h"

namespace faultline {
namespace {

struct Locale {
  explicit Locale(QLocale::Language language) {
    QLocale::setDefault(QLocale(language));
    writeNumbersLike(QLocale());
  }
  ~Locale() {
    QLocale::setDefault(QLocale::c());
    writeNumbersLike(QLocale());
  }
  Locale(const Locale&) = delete;
  Locale& operator=(const Locale&) = delete;
};

QString minorFaults() {
  StagedMonitor stage;
  FiguresStrip strip(stage.monitor);
  stage.process(7);
  stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 6200);
  stage.tick();
  strip.refresh(std::nullopt);
  for (const QLabel* label : strip.findChildren<QLabel*>())
    if (label->accessibleName() == QStringLiteral("minor faults/s")) return label->text();
  return {};
}

}  // namespace

TEST_CASE("Numbers follow the locale in figures, axes and settings alike") {
  CHECK(minorFaults() == QStringLiteral("12.4 k"));
  CHECK(roundLabel(QStringLiteral("80.0 k")) == QStringLiteral("80 k"));
  const Locale german(QLocale::German);
  CHECK(minorFaults() == QStringLiteral("12,4 k"));
  CHECK(roundLabel(QStringLiteral("80,0 k")) == QStringLiteral("80 k"));
  CHECK(roundLabel(QStringLiteral("2,50 GiB")) == QStringLiteral("2,5 GiB"));
  const QTemporaryDir folder;
  SettingsStore store(folder.filePath(QStringLiteral("settings.ini")));
  const SettingsDialog dialog(store, true);
  CHECK(dialog.findChild<QDoubleSpinBox*>()->text().contains(QLatin1Char(',')));
}

TEST_CASE("A count box takes what it shows, whatever the digits") {
  const Locale egyptian(QLocale::Arabic);
  const QTemporaryDir folder;
  SettingsStore store(folder.filePath(QStringLiteral("settings.ini")));
  const SettingsDialog dialog(store, true);
  for (QSpinBox* box : dialog.findChildren<QSpinBox*>()) {
    const int before = box->value();
    box->interpretText();
    CHECK(box->value() == before);
  }
}

}  // namespace faultline
