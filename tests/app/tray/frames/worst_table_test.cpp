#include "app/tray/frames/worst_table.h"

#include <QHeaderView>
#include <QMenu>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/model/frame_numbers.h"
#include "tests/app/tray/frames/some_game.h"

namespace faultline {
namespace {

JudgedFrame hurt(std::uint64_t number, std::chrono::microseconds inFaults) {
  JudgedFrame judged{gameFrame(number), {}};
  judged.verdict.faultTime = inFaults;
  judged.verdict.costly = true;
  return judged;
}

void clickHeader(WorstTable& table, FrameColumn column) {
  QHeaderView& header = *table.horizontalHeader();
  const int x =
      header.sectionViewportPosition(static_cast<int>(column)) + header.sectionSize(static_cast<int>(column)) / 2;
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, QPoint(x, header.height() / 2));
}

}  // namespace

TEST_CASE("A selected frame that is no longer among the worst selects no other frame") {
  WorstFrames worst(4);
  WorstTable table(worst);
  table.resize(900, 300);
  table.show();
  const FrameHistory history;
  for (std::uint64_t place = 0; place < 4; ++place)
    worst.add(place, hurt(place + 1, std::chrono::microseconds(1000 + place)));
  table.refresh(history);
  const QSignalSpy chosen(&table, &WorstTable::chosen);
  table.select(0);
  REQUIRE(table.selectionModel()->selectedRows().size() == 1);
  for (std::uint64_t place = 4; place < 6; ++place) worst.add(place, hurt(place + 1, std::chrono::microseconds(5000)));
  table.refresh(history);
  REQUIRE(table.model()->rowCount() == 4);
  CHECK(chosen.empty());
  CHECK(table.selectionModel()->selectedRows().empty());
  CHECK_FALSE(table.currentIndex().isValid());
}

TEST_CASE("The first click on the header of a number sorts the largest to the top") {
  WorstFrames worst(4);
  WorstTable table(worst);
  table.resize(1200, 300);
  table.show();
  for (const FrameColumn column : {FrameColumn::Duration, FrameColumn::Faults, FrameColumn::LateBy}) {
    clickHeader(table, column);
    CHECK(table.horizontalHeader()->sortIndicatorSection() == static_cast<int>(column));
    CHECK(table.horizontalHeader()->sortIndicatorOrder() == Qt::DescendingOrder);
  }
  clickHeader(table, FrameColumn::Culprit);
  CHECK(table.horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder);
}

TEST_CASE("The columns of the table's numbers are hidden at first, and after a layout that did not know them") {
  const WorstFrames worst(4);
  WorstTable table(worst);
  const int disk = static_cast<int>(FrameModel::columnOf(FrameMetric::FaultTimeOnDisk));
  CHECK(table.isColumnHidden(disk));
  QStandardItemModel known(0, static_cast<int>(FrameColumn::Count));
  QHeaderView before(Qt::Horizontal);
  before.setModel(&known);
  before.setSectionHidden(static_cast<int>(FrameColumn::Own), true);
  table.restoreColumns(before.saveState());
  CHECK(table.isColumnHidden(static_cast<int>(FrameColumn::Own)));
  CHECK_FALSE(table.isColumnHidden(static_cast<int>(FrameColumn::Zeroed)));
  for (int column = static_cast<int>(FrameColumn::Count); column < table.model()->columnCount(); ++column)
    CHECK(table.isColumnHidden(column));
  table.setColumnHidden(disk, false);
  WorstTable again(worst);
  again.restoreColumns(table.saveColumns());
  CHECK_FALSE(again.isColumnHidden(disk));
  CHECK(again.isColumnHidden(disk + 1));
}

TEST_CASE("The menu of columns has each number once, in a submenu by its group, and nothing without a title") {
  const WorstFrames worst(4);
  WorstTable table(worst);
  QMenu menu;
  table.fillColumns(menu);
  table.fillColumns(menu);  // anew each time that it opens
  const auto groups = menu.findChildren<QMenu*>(Qt::FindDirectChildrenOnly);
  CHECK(menu.actions().size() == kOwnFrameColumns + 1 + groups.size());
  CHECK(menu.actions().at(kOwnFrameColumns)->isSeparator());
  QStringList titles;
  for (QMenu* const group : groups) {
    CHECK_FALSE(group->title().isEmpty());
    CHECK(group->actions().size() <= 10);
    for (const QAction* const action : group->actions()) titles << action->text();
  }
  std::size_t named = 0;
  for (const FrameField& row : kFrameFields) {
    if (row.name.empty() || row.metric == FrameMetric::ZeroedBytes) continue;
    CAPTURE(row.name);
    ++named;
    CHECK(titles.count(QString::fromStdString(titleOf(row))) == 1);
  }
  CHECK(static_cast<std::size_t>(titles.size()) == named);
  const auto parts = std::ranges::find(groups, QStringLiteral("Parts of fault time"), &QMenu::title);
  REQUIRE(parts != groups.end());
  (*parts)->actions().front()->trigger();
  CHECK_FALSE(table.isColumnHidden(static_cast<int>(FrameModel::columnOf(FrameMetric::FaultTimeOnProcessor))));
}

}  // namespace faultline
