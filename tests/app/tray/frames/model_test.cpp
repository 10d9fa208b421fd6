#include "app/tray/frames/model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "core/model/frame_numbers.h"
#include "tests/app/tray/frames/some_game.h"

namespace faultline {
namespace {

QString cell(const FrameModel& model, int row, FrameColumn column, int role = Qt::DisplayRole) {
  return model.data(model.index(row, static_cast<int>(column)), role).toString();
}

JudgedFrame hurt(std::uint64_t number, std::uint64_t microsecondsInFaults) {
  JudgedFrame judged{gameFrame(number), {}};
  judged.verdict.faultTime = std::chrono::microseconds(microsecondsInFaults);
  judged.verdict.costly = true;
  return judged;
}

}  // namespace

TEST_CASE("The table follows the worst frames row by row") {
  WorstFrames worst(20);
  FrameModel model(worst);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  std::mt19937 random(3);
  for (std::uint64_t place = 0; place < 300; ++place) {
    worst.add(place, hurt(place + 1, random() % 5000));
    if (place % 60 == 59) worst.forgetBefore(place - 40);
    if (place % 3 == 0) model.refresh();
  }
  model.refresh();
  REQUIRE(model.rowCount() == static_cast<int>(worst.rows().size()));
  for (int row = 0; row < model.rowCount(); ++row)
    REQUIRE(model.place(row) == worst.rows()[static_cast<std::size_t>(row)].place);
  CHECK(model.rowOf(model.place(7)) == 7);
  CHECK_FALSE(model.rowOf(1));
  worst.clear();
  model.reset();
  CHECK(model.rowCount() == 0);
}

TEST_CASE("A row shows known values, and dashes for unknown values") {
  WorstFrames worst(20);
  FrameModel model(worst);
  JudgedFrame judged = hurt(50, 19'000);
  judged.verdict.late = true;
  judged.verdict.excess = std::chrono::microseconds(7300);
  judged.verdict.explained = 1;
  judged.verdict.estimated = true;
  worst.add(49, judged);
  model.setZero(MonotonicTime{std::chrono::seconds(940)});
  model.refresh();
  REQUIRE(model.rowCount() == 1);
  CHECK(cell(model, 0, FrameColumn::Number) == QStringLiteral("50"));
  CHECK(cell(model, 0, FrameColumn::Time) == QStringLiteral("1:00.196"));
  CHECK(cell(model, 0, FrameColumn::ForMemory) == QStringLiteral("≈ 19.0 ms"));
  CHECK(cell(model, 0, FrameColumn::Own) == QStringLiteral("50 %"));
  CHECK(cell(model, 0, FrameColumn::Zeroed) == QStringLiteral("–"));
  CHECK(cell(model, 0, FrameColumn::LateBy) == QStringLiteral("7.30 ms"));
  CHECK(cell(model, 0, FrameColumn::Explained) == QStringLiteral("100 %"));
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.setCulprit(49, QStringLiteral("97 % in Level::load"));
  CHECK(changed.size() == 1);
  CHECK(cell(model, 0, FrameColumn::Culprit) == QStringLiteral("97 % in Level::load"));
}

TEST_CASE("Each number of the table has a column with its title and meaning, and a line in a row's tip") {
  WorstFrames worst(20);
  FrameModel model(worst);
  JudgedFrame judged = hurt(50, 19'000);
  for (const FrameField& row : kFrameFields) judged.frame.values.set(row.metric, std::uint64_t{2048});
  judged.frame.values.set(FrameMetric::FreedBytes, std::uint64_t{0});
  judged.frame.values.clear(FrameMetric::ThreadFreedBytes);
  worst.add(49, judged);
  model.refresh();
  const QString tip = cell(model, 0, FrameColumn::Number, Qt::ToolTipRole);
  for (const FrameField& row : kFrameFields) {
    CAPTURE(row.name);
    const FrameColumn column = FrameModel::columnOf(row.metric);
    const auto head = [&](int role) {
      return model.headerData(static_cast<int>(column), Qt::Horizontal, role).toString().toStdString();
    };
    CHECK(head(Qt::DisplayRole) == titleOf(row));
    CHECK(head(Qt::ToolTipRole).empty() == row.name.empty());
    const bool some = !row.name.empty() && row.group != FrameGroup::Freeing;
    if (some) CHECK(cell(model, 0, column).remove(QChar(0x202f)).startsWith(QStringLiteral("2")));
    CHECK(tip.contains(QString::fromStdString("\n" + titleOf(row) + ": ")) == some);
  }
  CHECK(cell(model, 0, FrameModel::columnOf(FrameMetric::FreedBytes)) == QStringLiteral("0 B"));
  CHECK(cell(model, 0, FrameModel::columnOf(FrameMetric::ThreadFreedBytes)) == QStringLiteral("–"));
}

}  // namespace faultline
