#include "app/tray/processes/filter.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <vector>

#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

std::vector<std::uint32_t> order(const ProcessFilter& rows) {
  std::vector<std::uint32_t> pids;
  for (int row = 0; row < rows.rowCount(); ++row) pids.push_back(rows.entry(rows.index(row, 0)).key.pid);
  return pids;
}

using Order = std::vector<std::uint32_t>;

// Three processes; the numbers are faults per interval.
struct Fixture {
  Fixture() {
    for (std::uint32_t pid = 1; pid <= 3; ++pid) stage.process(pid, std::string(1, static_cast<char>('a' + pid)));
    stage.tick();
  }

  void run(std::uint64_t one, std::uint64_t two, std::uint64_t three) {
    stage.add(1, ProcessMetric::MinorFaults, one);
    stage.add(2, ProcessMetric::MinorFaults, two);
    stage.add(3, ProcessMetric::MinorFaults, three);
    stage.tick();
    model.refresh();
  }

  StagedMonitor stage;
  Pins pins;
  ProcessModel model{stage.monitor, pins};
  ProcessFilter rows{model};
  QAbstractItemModelTester tester{&rows, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

}  // namespace

TEST_CASE("Rows keep their places while values change, until they are settled") {
  Fixture f;
  f.run(100, 200, 300);
  f.rows.settle();
  CHECK(order(f.rows) == Order{3, 2, 1});
  f.run(9000, 200, 300);
  CHECK(order(f.rows) == Order{3, 2, 1});
  f.rows.settle();
  CHECK(order(f.rows) == Order{1, 3, 2});
}

TEST_CASE("A flicker of one sample does not change the order of busy processes") {
  Fixture f;
  for (int i = 0; i < 60; ++i) f.run(100, 1000, 5000);
  f.rows.settle();
  REQUIRE(order(f.rows) == Order{3, 2, 1});
  const QSignalSpy moves(&f.rows, &QAbstractItemModel::layoutChanged);
  for (int i = 0; i < 20; ++i) {
    f.run(100, i % 2 == 0 ? 2000 : 0, i % 2 == 0 ? 3500 : 6500);
    f.rows.settle();
  }
  f.run(100, 1000, 0);
  f.rows.settle();
  CHECK(order(f.rows) == Order{3, 2, 1});
  CHECK(moves.empty());
}

TEST_CASE("The order of rows is the order of the numbers on show") {
  Fixture f;
  const auto shown = [&] {
    std::vector<double> rates;
    for (int row = 0; row < f.rows.rowCount(); ++row)
      rates.push_back(f.rows.entry(f.rows.index(row, 0)).shown(Column::MinorRate, false).value_or(0));
    return rates;
  };
  for (int i = 0; i < 40; ++i) {
    f.run(1000 + 700 * (i % 3), 1050 + 900 * (i % 2), i % 5 == 0 ? 9000 : 100);
    if (i % 4 == 3) f.rows.settle();
    CHECK(std::ranges::is_sorted(shown(), std::greater()));
  }
}

TEST_CASE("Pinned rows come first at once, in both sort orders") {
  Fixture f;
  f.run(100, 200, 300);
  f.rows.settle();
  f.pins.toggle({1, 1001});
  CHECK(order(f.rows) == Order{1, 3, 2});
  f.rows.sort(columnIndex(Column::MinorRate), Qt::AscendingOrder);
  CHECK(order(f.rows) == Order{1, 2, 3});
  f.rows.sort(columnIndex(Column::Process), Qt::DescendingOrder);
  CHECK(order(f.rows) == Order{1, 3, 2});
  f.pins.toggle({1, 1001});
  CHECK(order(f.rows) == Order{3, 2, 1});
}

TEST_CASE("A new row is inserted at its place, and absent values come last in both sort orders") {
  Fixture f;
  f.run(100, 200, 300);
  f.rows.settle();
  f.stage.process(4, "newcomer").values.clear(ProcessMetric::CommitBytes);
  f.run(100, 200, 300);
  CHECK(order(f.rows) == Order{3, 2, 1, 4});
  f.rows.sort(columnIndex(Column::Commit), Qt::AscendingOrder);
  CHECK(order(f.rows).back() == 4);
  f.rows.sort(columnIndex(Column::Commit), Qt::DescendingOrder);
  CHECK(order(f.rows).back() == 4);
}

TEST_CASE("Ended processes are below living processes in all sort orders") {
  Fixture f;
  f.run(5000, 9000, 300'000);
  f.rows.settle();
  REQUIRE(order(f.rows) == Order{3, 2, 1});
  f.stage.exit(3);
  f.stage.tick();
  f.model.refresh();
  f.rows.settle();
  CHECK(order(f.rows) == Order{2, 1, 3});
  f.rows.sort(columnIndex(Column::MinorTotal), Qt::DescendingOrder);
  CHECK(order(f.rows) == Order{2, 1, 3});
  f.rows.sort(columnIndex(Column::MinorTotal), Qt::AscendingOrder);
  CHECK(order(f.rows) == Order{1, 2, 3});
}

TEST_CASE("The first click sorts numbers from the largest, and words from A") {
  const Fixture f;
  const auto first = [&](Column column) {
    return f.model.headerData(columnIndex(column), Qt::Horizontal, Qt::InitialSortOrderRole).toInt();
  };
  for (const Column column : {Column::MinorRate, Column::Peak, Column::Commit, Column::FaultTimeTotal})
    CHECK(first(column) == Qt::DescendingOrder);
  for (const Column column : {Column::Process, Column::Pid, Column::User}) CHECK(first(column) == Qt::AscendingOrder);
}

TEST_CASE("Several words narrow the filter, each in name, parent or pid") {
  Fixture f;
  f.stage.process(40, "make");
  f.stage.process(41, "cc1plus").values.set(ProcessMetric::ParentPid, std::uint64_t{40});
  f.stage.process(42, "cc1plus").values.set(ProcessMetric::ParentPid, std::uint64_t{1});
  f.run(1, 2, 3);
  f.rows.setText(QStringLiteral("cc1 make"));
  CHECK(order(f.rows) == Order{41});
  f.rows.setText(QStringLiteral("  42   CC1PLUS "));
  CHECK(order(f.rows) == Order{42});
  f.rows.setText(QStringLiteral("cc1 nobody"));
  CHECK(order(f.rows).empty());
  f.rows.setText(QStringLiteral("make"));
  CHECK(order(f.rows) == Order{40, 41});
}

TEST_CASE("In a tree children are below their parents, whose numbers are the whole family's") {
  Fixture f;
  const auto child = [&](std::uint32_t pid, const char* name, std::uint64_t parent) {
    f.stage.process(pid, name).values.set(ProcessMetric::ParentPid, parent);
  };
  f.stage.process(40, "make");
  child(41, "sh", 40);
  child(42, "cc1plus", 41);
  child(43, "cc1plus", 40);
  f.run(10, 20, 3000);
  f.rows.setTree(ProcessModel::Tree::Families);
  f.stage.add(42, ProcessMetric::MinorFaults, 5000);
  f.stage.add(43, ProcessMetric::MinorFaults, 100);
  f.stage.add(40, ProcessMetric::MinorFaults, 1);
  f.run(10, 20, 3000);
  f.rows.sort(columnIndex(Column::MinorRate), Qt::DescendingOrder);
  CHECK(order(f.rows) == Order{40, 41, 42, 43, 3, 2, 1});
  const auto of = [&](std::uint32_t pid, Column column) {
    const ProcessEntry* entry = f.model.find({pid, 1000 + pid});
    REQUIRE(entry);
    return entry->values[at(column)];
  };
  CHECK(of(40, Column::MinorRate) == 2 * 5101);
  CHECK(of(41, Column::MinorRate) == 2 * 5000);
  CHECK(of(40, Column::MinorTotal) == 5101);
  const auto nameAt = [&](int row) { return f.rows.index(row, columnIndex(Column::Process)).data().toString(); };
  CHECK(nameAt(2).endsWith(QStringLiteral("└ cc1plus")));
  CHECK(nameAt(0) == QStringLiteral("▾ make"));
  CHECK(nameAt(4).startsWith(QStringLiteral("\u2003 ")));  // stands below the names of those that fold
  f.stage.exit(42);
  f.run(0, 0, 0);
  f.run(0, 0, 0);
  CHECK(of(40, Column::MinorTotal) == 5101);
  f.rows.setText(QStringLiteral("43"));
  CHECK(order(f.rows) == Order{40, 43});
  f.rows.setText({});
  f.rows.setTree(ProcessModel::Tree::Flat);
  CHECK(of(40, Column::MinorTotal) == 1);
  CHECK_FALSE(nameAt(0).startsWith(QStringLiteral("\u2003")));
}

TEST_CASE("The filter takes parts of names, ignoring case, and beginnings of pids") {
  Fixture f;
  f.stage.process(31337, "Firefox");
  f.run(1, 2, 3);
  f.rows.setText(QStringLiteral("fIRE"));
  CHECK(order(f.rows) == Order{31337});
  f.rows.setText(QStringLiteral("31"));
  CHECK(order(f.rows) == Order{31337});
  f.rows.setText(QStringLiteral("3"));
  CHECK(order(f.rows) == Order{3, 31337});
  f.rows.setText(QStringLiteral("nobody"));
  CHECK(f.rows.rowCount() == 0);
  f.rows.setText(QString());
  CHECK(f.rows.rowCount() == 4);
}

TEST_CASE("Active only shows active processes, and removes a row after its minute") {
  Fixture f;
  f.run(0, 0, 10);
  f.rows.setActiveOnly(true);
  CHECK(order(f.rows) == Order{3});
  f.run(5, 0, 0);
  f.rows.settle();
  CHECK(f.rows.rowCount() == 2);
  for (int i = 0; i < 125; ++i) f.run(0, 0, 0);
  CHECK(f.rows.rowCount() == 0);
}

TEST_CASE("Filter and order stay consistent through births, deaths, pins and instants", "[slow]") {
  Fixture f;
  f.rows.setText(QStringLiteral("r"));
  for (std::uint32_t round = 0; round < 80; ++round) {
    for (std::uint32_t pid = 1; pid < 30; ++pid) {
      if ((pid * 11 + round) % 7 == 0) f.stage.kill(pid);
      else f.stage.add(pid, ProcessMetric::MinorFaults, (pid * 31 + round * 17) % 101);
    }
    f.stage.tick();
    f.model.refresh();
    if (round % 4 == 0) f.rows.settle();
    if (round % 9 == 0) f.pins.toggle({round % 30, 1000 + round % 30});
    if (round % 13 == 5) f.model.showInstant(f.stage.time - kStageInterval * 2);
    if (round % 13 == 8) f.model.showInstant(std::nullopt);
    f.rows.settle();
    for (int row = 1; row < f.rows.rowCount(); ++row) {
      const ProcessEntry& above = f.rows.entry(f.rows.index(row - 1, 0));
      const ProcessEntry& below = f.rows.entry(f.rows.index(row, 0));
      const bool alive = above.presence == Presence::Running;
      if (above.colour.has_value() != below.colour.has_value()) CHECK(above.colour.has_value());
      else if (alive != (below.presence == Presence::Running)) CHECK(alive);
      else CHECK(above.calm[at(Column::MinorRate)].value_or(-1) >= below.calm[at(Column::MinorRate)].value_or(-1));
    }
  }
}

TEST_CASE("An ended process sinks below living processes at once, and stays there") {
  Fixture f;
  for (int i = 0; i < 20; ++i) f.run(1000, 20'000, 30'000);
  f.rows.settle();
  REQUIRE(order(f.rows) == Order{3, 2, 1});
  f.stage.exit(3);
  f.stage.tick();
  f.model.refresh();
  f.rows.settle();
  CHECK(order(f.rows) == Order{2, 1, 3});
  for (int i = 0; i < 40; ++i) {
    f.stage.add(1, ProcessMetric::MinorFaults, 1000);
    f.stage.add(2, ProcessMetric::MinorFaults, 20'000);
    f.stage.tick();
    f.model.refresh();
    f.rows.settle();
  }
  CHECK(order(f.rows) == Order{2, 1, 3});
}

}  // namespace faultline
