#include "app/tray/widgets/number_locale.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QLocale>
#include <QTemporaryDir>
#include <QTextLayout>
#include <QToolButton>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "app/tray/plots/items/labels.h"
#include "app/tray/shell/figures_strip.h"
#include "app/tray/shell/settings_dialog.h"
#include "app/tray/spikes/list.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/spikes/text.h"
#include "app/tray/table/table.h"
#include "core/frames/tally.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"
#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

struct Locale {
  explicit Locale(QLocale::Language language, Qt::LayoutDirection direction = Qt::LeftToRight) {
    QLocale::setDefault(QLocale(language));
    writeNumbersLike(QLocale(), direction);
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
  Spike spike;
  spike.peakPerSecond = 15'000;
  spike.usualPerSecond = 10'000;
  CHECK(spikeStrength(spike).contains(QStringLiteral("×1,5 the usual")));
  CHECK(roundLabel(QStringLiteral("2,50 GiB")) == QStringLiteral("2,5 GiB"));
  const QTemporaryDir folder;
  SettingsStore store(folder.filePath(QStringLiteral("settings.ini")));
  const SettingsDialog dialog(store, true);
  CHECK(dialog.findChild<QDoubleSpinBox*>()->text().contains(QLatin1Char(',')));
}

namespace {

// The order as drawn from left to right in text that runs from right to left.
QString drawn(const QString& text) {
  QTextLayout layout(text);
  QTextOption option;
  option.setTextDirection(Qt::RightToLeft);
  layout.setTextOption(option);
  layout.beginLayout();
  QTextLine line = layout.createLine();
  line.setLineWidth(1000);
  layout.endLayout();
  std::vector<std::pair<double, QChar>> places;
  for (int i = 0; i < text.size(); ++i)
    if (!text[i].isSpace() && text[i] != QChar(0x200E))
      places.emplace_back(std::min(line.cursorToX(i), line.cursorToX(i + 1)), text[i]);
  std::ranges::stable_sort(places, {}, &std::pair<double, QChar>::first);
  QString all;
  for (const auto& [x, letter] : places) all += letter;
  return all;
}

}  // namespace

TEST_CASE("Numbers and their units keep their order in text from right to left") {
  const QString before = QString::fromStdString(formatCount(26'700)) + QStringLiteral(" faults");
  CHECK(drawn(before) != QStringLiteral("26700faults"));
  const Locale hebrew(QLocale::Hebrew, Qt::RightToLeft);
  CHECK(drawn(QString::fromStdString(formatCount(26'700)) + QStringLiteral(" faults")) ==
        QStringLiteral("26700faults"));
  CHECK(drawn(QString::fromStdString(formatRate(12'400))) == QStringLiteral("12.4k"));
}

TEST_CASE("Counts of spikes, programs, processes and frames have the digits of the locale") {
  const Locale egyptian(QLocale::Arabic, Qt::RightToLeft);
  const auto isForeign = [](const QString& text) {
    return !text.isEmpty() && std::ranges::none_of(text, [](QChar c) { return c >= u'0' && c <= u'9'; });
  };
  const std::vector<Spike> spikes(22);
  SpikeGroup group;
  for (const Spike& spike : spikes) group.spikes.push_back(&spike);
  CHECK(isForeign(QString::fromStdString(habitTimes(group))));
  JudgedFrame judged;
  judged.frame.number = 300;
  CHECK(isForeign(QString::fromStdString(frameText(judged))));
  StagedMonitor stage;
  stage.process(7);
  stage.tick();
  Pins pins;
  SpikeMutes mutes;
  mutes.set({"a", "b"});
  SpikeList list(stage.monitor, pins, mutes);
  list.show();
  list.refresh();
  QString muted;
  for (const QToolButton* button : list.findChildren<QToolButton*>())
    if (button->text().contains(QStringLiteral("programs muted"))) muted = button->text();
  CHECK(isForeign(muted));
  ProcessTable table(stage.monitor, pins);
  table.show();
  QString count;
  for (const QLabel* label : table.findChildren<QLabel*>())
    if (label->text().contains(QStringLiteral(" processes"))) count = label->text();
  CHECK(isForeign(count));
}

TEST_CASE("A count box accepts its own text in all digits") {
  const Locale egyptian(QLocale::Arabic, Qt::RightToLeft);
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
