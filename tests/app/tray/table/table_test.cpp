#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "app/tray/processes/columns.h"
#include "app/tray/spikes/list.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/table/row_actions.h"
#include "app/tray/widgets/theme.h"
#include "core/export/csv.h"
#include "tests/app/tray/table/table_stage.h"

namespace faultline {
namespace {

void press(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QKeyEvent event(QEvent::KeyPress, key, modifiers);
  QApplication::sendEvent(&widget, &event);
}

}  // namespace

TEST_CASE("A hidden table is not updated, and is updated when shown") {
  TableStage f;
  f.table.refresh();
  CHECK(f.view().model()->rowCount() == 0);
  f.table.show();
  CHECK(f.view().model()->rowCount() == 2);
  CHECK(f.textAt(0, Column::Process) == QStringLiteral("game"));
  f.table.hide();
  f.stage.kill(8);
  f.stage.tick();
  f.table.refresh();
  CHECK(f.view().model()->rowCount() == 2);
  f.table.show();
  CHECK(f.view().model()->rowCount() == 1);
}

TEST_CASE("Copying rows as CSV gives the exporter's output") {
  TableStage f;
  f.table.show();
  f.view().selectAll();
  press(f.view(), Qt::Key_C, Qt::ControlModifier);
  const Moment& now = f.stage.monitor.now();
  std::string expected = csvHeader();
  appendCsvRow(now, *now.find({7, 1007}), expected);
  appendCsvRow(now, *now.find({8, 1008}), expected);
  CHECK(QApplication::clipboard()->text().toStdString() == expected);
}

TEST_CASE("Copying rows of the past gives their rates, and empty fields for values that are not kept") {
  TableStage f;
  const MonotonicTime then = f.stage.time;
  for (int i = 0; i < 5; ++i) f.stage.tick();
  f.table.show();
  f.table.showInstant(then);
  f.view().selectRow(0);
  f.table.actions().copyCsv();
  const std::string csv = QApplication::clipboard()->text().toStdString();
  CHECK(csv.starts_with(csvHeader()));
  CHECK(csv.find(",game,,8192,,0,0,0,") != std::string::npos);
}

TEST_CASE("A row of the past has the interval of its own sample, and no invented gap, birth or end") {
  TableStage f;
  for (int i = 0; i < 5; ++i) f.stage.tick();
  const auto copied = [&](MonotonicTime instant, const char* column) {
    QApplication::clipboard()->clear();
    f.table.showInstant(instant);
    f.view().selectionModel()->select(f.view().model()->index(0, 0),
                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    f.table.actions().copyCsv();
    const QStringList lines = QApplication::clipboard()->text().split(QStringLiteral("\r\n"));
    REQUIRE(lines.size() == 3);
    const QStringList names = lines[0].split(QLatin1Char(','));
    const QStringList fields = lines[1].split(QLatin1Char(','));
    REQUIRE(fields.size() == names.size());
    return fields[names.indexOf(QLatin1StringView(column))].toStdString();
  };
  f.table.show();
  const MonotonicTime sample = f.stage.time - 2 * kStageInterval;
  const MonotonicTime between = sample + kStageInterval / 3;
  CHECK(copied(between, "interval_ns") == "500000000");
  CHECK(copied(between, "monotonic_ns") == std::to_string(sample.sinceEpoch.count()));
  CHECK(copied(between, "gap") == "none");
  CHECK(copied(between, "born").empty());
  CHECK(copied(between, "exited").empty());
  const MonotonicTime before = *f.stage.monitor.history().oldest() - kStageInterval;
  f.pins.toggle({7, 1007});  // keeps its row before its birth
  for (const char* column : {"interval_ns", "gap", "minor_faults_per_s", "commit_bytes"})
    CHECK(copied(before, column).empty());
}

TEST_CASE("Enter pins and unpins, and the pinned row moves to the top with its selection") {
  TableStage f;
  f.table.show();
  f.view().selectRow(1);
  press(f.view(), Qt::Key_Return);
  REQUIRE(f.pins.all().size() == 1);
  CHECK(f.pins.all().front().key == ProcessKey{8, 1008});
  CHECK(f.textAt(0, Column::Mark) == QStringLiteral("★"));
  CHECK(f.view().currentIndex().row() == 0);
  press(f.view(), Qt::Key_Return);
  CHECK(f.pins.all().empty());
  CHECK(f.view().currentIndex().row() == 1);
}

TEST_CASE("A click on the star's place pins and unpins, a click elsewhere does not") {
  TableStage f;
  f.table.show();
  Q_EMIT f.view().clicked(f.view().model()->index(0, columnIndex(Column::Process)));
  CHECK(f.pins.all().empty());
  Q_EMIT f.view().clicked(f.view().model()->index(0, columnIndex(Column::Mark)));
  CHECK(f.textAt(0, Column::Mark) == QStringLiteral("★"));
  Q_EMIT f.view().clicked(f.view().model()->index(0, columnIndex(Column::Mark)));
  CHECK(f.pins.all().empty());
}

TEST_CASE("Typing filters, Escape clears, and Down goes to the first row") {
  TableStage f;
  f.table.show();
  f.table.focusFilter();
  QLineEdit& filter = *f.table.findChild<QLineEdit*>();
  filter.setText(QStringLiteral("1+1"));
  CHECK(f.view().model()->rowCount() == 1);
  press(filter, Qt::Key_Down);
  CHECK(f.view().currentIndex().row() == 0);
  press(filter, Qt::Key_Escape);
  CHECK(f.view().model()->rowCount() == 2);
}

TEST_CASE("The zeroing column is shown as soon as zeroing is measured") {
  TableStage f;
  f.table.show();
  const int column = columnIndex(Column::ZeroedRate);
  CHECK(f.view().isColumnHidden(column));
  f.stage.hello.quality(ProcessMetric::ZeroedBytes).grade = Grade::Exact;
  f.stage.monitor.ingest(f.stage.hello);
  f.stage.tick();
  f.table.refresh();
  CHECK_FALSE(f.view().isColumnHidden(column));
}

TEST_CASE("Columns are saved with their widths, order and sorting") {
  TableStage f;
  f.view().setColumnWidth(columnIndex(Column::Process), 321);
  f.view().sortByColumn(columnIndex(Column::Pid), Qt::DescendingOrder);
  const QByteArray columns = f.table.columns();
  TableStage other;
  other.table.setColumns(columns);
  other.table.show();
  CHECK(other.view().columnWidth(columnIndex(Column::Process)) == 321);
  CHECK(other.textAt(0, Column::Pid) == QStringLiteral("8"));
  CHECK(other.view().isColumnHidden(columnIndex(Column::ZeroedRate)));
}

TEST_CASE("A column hidden because it is not measured is saved as shown, and a column hidden by the user is not") {
  TableStage f;
  f.view().setColumnHidden(columnIndex(Column::Threads), false);
  f.view().setColumnHidden(columnIndex(Column::FaultTimeRate), true);
  REQUIRE(f.view().isColumnHidden(columnIndex(Column::ZeroedRate)));
  TableStage other;
  other.table.setColumns(f.table.columns());
  other.stage.hello.quality(ProcessMetric::ZeroedBytes).grade = Grade::Exact;
  other.stage.monitor.ingest(other.stage.hello);
  other.table.show();
  CHECK_FALSE(other.view().isColumnHidden(columnIndex(Column::ZeroedRate)));
  CHECK_FALSE(other.view().isColumnHidden(columnIndex(Column::Threads)));
  CHECK(other.view().isColumnHidden(columnIndex(Column::FaultTimeRate)));
}

TEST_CASE("A layout that was saved with fewer columns is restored") {
  QStandardItemModel narrow(0, 14);
  QTableView old;
  old.setModel(&narrow);
  old.setColumnWidth(columnIndex(Column::Process), 321);
  TableStage f;
  f.table.setColumns(old.horizontalHeader()->saveState());
  f.table.show();
  CHECK(f.view().columnWidth(columnIndex(Column::Process)) == 321);
  CHECK_FALSE(f.view().isColumnHidden(columnIndex(Column::FaultTimeRate)));
  CHECK(f.textAt(0, Column::Process) == QStringLiteral("game"));
}

TEST_CASE("A layout that was saved when there were more columns still fits") {
  QStandardItemModel wide(0, static_cast<int>(kColumnCount) + 1);
  QTableView old;
  old.setModel(&wide);
  old.setColumnWidth(columnIndex(Column::Process), 321);
  TableStage f;
  f.table.setColumns(old.horizontalHeader()->saveState());
  f.table.show();
  CHECK(f.view().horizontalHeader()->count() == static_cast<int>(kColumnCount));
  CHECK(f.textAt(0, Column::Process) == QStringLiteral("game"));
  CHECK_FALSE(f.view().isColumnHidden(columnIndex(Column::MinorRate)));
}

TEST_CASE("Times are shown with units, estimated times with their mark") {
  TableStage f;
  Quality& zeroing = f.stage.hello.quality(ProcessMetric::ZeroingTime);
  zeroing = {Grade::Estimated, "By its cost.", "", 64};
  f.stage.monitor.ingest(f.stage.hello);
  f.stage.process(7).values.set(ProcessMetric::FaultTime, std::uint64_t{1'000'000});
  f.stage.tick();
  f.stage.add(7, ProcessMetric::FaultTime, 6'200'000);
  f.stage.tick();
  f.table.show();
  CHECK(f.textAt(0, Column::FaultTimeRate) == QStringLiteral("12.4 ms"));
  CHECK(f.textAt(0, Column::FaultTimeTotal) == QStringLiteral("7.20 ms"));
  CHECK(f.textAt(1, Column::FaultTimeRate) == QStringLiteral("–"));
}

TEST_CASE("A filter that no row passes shows a sentence in place of the rows") {
  TableStage f;
  f.table.show();
  const auto told = [&]() -> QString {
    for (const QLabel* label : f.view().viewport()->findChildren<QLabel*>())
      if (label->isVisible()) return label->text();
    return {};
  };
  CHECK(told().isEmpty());
  auto& filter = *f.table.findChild<QLineEdit*>();
  filter.setText(QStringLiteral("zzz"));
  CHECK(told().contains(QStringLiteral("“zzz”")));
  filter.clear();
  CHECK(told().isEmpty());
}

TEST_CASE("The table follows a change of the palette while it is shown") {
  TableStage f;
  f.table.resize(900, 200);
  f.table.show();
  QWidget& header = *f.view().horizontalHeader();
  CHECK(header.grab().toImage().pixel(2, 2) == f.table.palette().color(QPalette::Base).rgb());
  QPalette dark = f.table.palette();
  dark.setColor(QPalette::Base, QColor(10, 20, 30));
  dark.setColor(QPalette::Text, Qt::white);
  f.table.setPalette(dark);
  CHECK(header.grab().toImage().pixel(2, 2) == qRgb(10, 20, 30));
}

TEST_CASE("On a black palette the boxes for filters have a frame") {
  QPalette black(Qt::white, Qt::black);
  black.setColor(QPalette::Base, Qt::black);
  const StagedMonitor stage;
  Pins pins;
  SpikeMutes mutes;
  ProcessTable table(stage.monitor, pins);
  SpikeList spikes(stage.monitor, pins, mutes);
  for (QWidget* each : {static_cast<QWidget*>(&table), static_cast<QWidget*>(&spikes)}) {
    each->setPalette(black);
    auto* filter = each->findChild<QLineEdit*>();
    REQUIRE(filter);
    filter->resize(100, filter->sizeHint().height());
    const QImage picture = filter->grab().toImage();
    double most = 1;
    for (int y = 0; y < 4; ++y) most = std::max(most, contrast(picture.pixelColor(picture.width() / 2, y), Qt::black));
    CHECK(most > 3);
  }
}

TEST_CASE("Enter on a spike activates it") {
  TableStage f;
  SpikeMutes mutes;
  SpikeList list(f.stage.monitor, f.pins, mutes);
  list.show();
  std::vector<Spike> shown;
  QObject::connect(&list, &SpikeList::activated, &list, [&](const Spike& spike) { shown.push_back(spike); });
  for (int i = 0; i < 20; ++i) f.stage.tick();
  f.stage.add(7, ProcessMetric::MinorFaults, 100'000);
  f.stage.tick();
  list.refresh();
  auto& view = *list.findChild<QAbstractItemView*>();
  view.setCurrentIndex(view.model()->index(0, 0));
  press(view, Qt::Key_Return);
  REQUIRE(shown.size() == 1);
  CHECK(shown.front().faults == 100'000);
}

TEST_CASE("The table keeps its scroll position when the current row's process ends, and selects no other row") {
  TableStage f;
  for (std::uint32_t pid = 100; pid < 160; ++pid) f.stage.process(pid);
  f.stage.tick();
  f.table.resize(600, 220);
  f.table.show();
  f.table.refresh();
  f.view().selectRow(0);
  QScrollBar& bar = *f.view().verticalScrollBar();
  bar.setValue(30);
  REQUIRE(bar.value() == 30);
  const QModelIndex current = f.view().currentIndex();
  const std::uint32_t pid = current.siblingAtColumn(columnIndex(Column::Pid)).data().toUInt();
  f.stage.kill(pid);
  for (int i = 0; i < 5; ++i) {
    f.stage.tick();
    f.table.refresh();
  }
  for (int i = 0; i < 80; ++i) f.stage.tick();
  f.table.refresh();
  QApplication::processEvents();
  CHECK(bar.value() == 30);
  CHECK(f.view().selectionModel()->selectedRows().empty());
  CHECK_FALSE(f.view().currentIndex().isValid());
}

TEST_CASE("The table keeps its scroll position when the current row sinks") {
  TableStage f;
  for (std::uint32_t pid = 100; pid < 160; ++pid) f.stage.process(pid);
  for (int i = 0; i < 20; ++i) {
    f.stage.add(7, ProcessMetric::MinorFaults, 90'000);
    f.stage.tick();
  }
  f.table.resize(600, 220);
  f.table.show();
  f.view().selectRow(0);
  QScrollBar& bar = *f.view().verticalScrollBar();
  REQUIRE(bar.value() == 0);
  for (int i = 0; i < 80; ++i) {
    for (std::uint32_t pid = 100; pid < 160; ++pid) f.stage.add(pid, ProcessMetric::MinorFaults, 50'000);
    f.stage.tick();
    f.table.refresh();
    QApplication::processEvents();
  }
  CHECK(f.textAt(0, Column::Process) != QStringLiteral("game"));
  CHECK(bar.value() == 0);
  CHECK(f.view().selectionModel()->selectedRows().size() == 1);
}

TEST_CASE("The rows of a loaded recording are in exact order") {
  TableStage f;
  f.stage.process(100);
  f.stage.add(7, ProcessMetric::MinorFaults, 1'000);
  f.stage.tick();
  f.table.show();
  f.table.refresh();
  REQUIRE(f.textAt(0, Column::Process) == QStringLiteral("game"));
  f.stage.add(100, ProcessMetric::MinorFaults, 5'000);
  f.stage.tick();
  f.table.refresh();
  CHECK(f.textAt(0, Column::Process) == QStringLiteral("game"));  // live rows keep their places for a while
  f.table.setReplay(true);
  CHECK(f.textAt(0, Column::Pid) == QStringLiteral("100"));
  f.stage.add(7, ProcessMetric::MinorFaults, 1'000);  // a recording is read piece by piece
  f.stage.tick();
  f.table.refresh();
  f.table.setReplay(true);
  CHECK(f.textAt(0, Column::Process) == QStringLiteral("game"));
}

TEST_CASE("A window closes while the menu of its columns is open") {
  auto f = std::make_unique<TableStage>();
  f->table.show();
  QTimer::singleShot(0, &f->table, [&] { f.reset(); });
  QContextMenuEvent asked(QContextMenuEvent::Mouse, {5, 5}, f->table.mapToGlobal(QPoint(5, 5)));
  QApplication::sendEvent(f->view().horizontalHeader()->viewport(), &asked);
  REQUIRE_FALSE(f->table.findChildren<QMenu*>().empty());
  CHECK(QTest::qWaitFor([&] { return !f; }));
}

TEST_CASE("Choosing a process removes a filter that hides it") {
  TableStage f;
  f.table.show();
  f.table.refresh();
  f.table.findChild<QLineEdit*>()->setText(QStringLiteral("nobody"));
  REQUIRE(f.view().model()->rowCount() == 0);
  f.table.choose(f.stage.process(7).key);
  const QModelIndexList rows = f.view().selectionModel()->selectedRows(columnIndex(Column::Process));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].data().toString() == QStringLiteral("game"));
}

TEST_CASE("A family in the tree folds and unfolds by keys and by a click on its triangle") {
  TableStage f;
  f.stage.process(40, "make");
  f.stage.process(41, "sh").values.set(ProcessMetric::ParentPid, std::uint64_t{40});
  f.stage.process(42, "cc1plus").values.set(ProcessMetric::ParentPid, std::uint64_t{41});
  f.stage.tick();
  f.table.resize(900, 400);
  f.table.show();
  f.table.findChild<QComboBox*>()->setCurrentText(QStringLiteral("Tree"));
  f.table.choose({42, 1042});
  CHECK(f.view().model()->rowCount() == 5);
  press(f.view(), Qt::Key_Left);  // to its parent, which the next key folds
  press(f.view(), Qt::Key_Left);
  CHECK(f.view().model()->rowCount() == 4);
  const auto nameOf = [&] {
    return f.view().currentIndex().siblingAtColumn(columnIndex(Column::Process)).data().toString();
  };
  CHECK(nameOf().endsWith(QStringLiteral("▸ sh")));
  press(f.view(), Qt::Key_Right);
  CHECK(f.view().model()->rowCount() == 5);
  CHECK(nameOf().endsWith(QStringLiteral("▾ sh")));
  press(f.view(), Qt::Key_Left);
  press(f.view(), Qt::Key_Left);
  CHECK(nameOf() == QStringLiteral("▾ make"));
  const QRect cell = f.view().visualRect(f.view().currentIndex().siblingAtColumn(columnIndex(Column::Process)));
  QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, cell.topLeft() + QPoint(8, cell.height() / 2));
  CHECK(f.view().model()->rowCount() == 3);
  f.table.choose({42, 1042});  // a chosen process is shown
  CHECK(f.view().model()->rowCount() == 5);
}

}  // namespace faultline
