#include "app/tray/processes/model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

QString textAt(const ProcessModel& model, int row, Column column) {
  return model.index(row, columnIndex(column)).data().toString();
}

QString toolTipAt(const ProcessModel& model, int row, Column column) {
  return model.index(row, columnIndex(column)).data(Qt::ToolTipRole).toString();
}

const auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

}  // namespace

TEST_CASE("The model shows each process's numbers exactly as they were fed") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  const QAbstractItemModelTester tester(&model, kFatal);
  stage.process(7, "game").values.set(ProcessMetric::CommitBytes, std::uint64_t{3} << 30U);
  stage.process(9, "clang").values.set(ProcessMetric::Threads, std::uint64_t{12});
  stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 4096);
  stage.add(7, ProcessMetric::MajorFaults, 3);
  stage.tick();
  model.refresh();

  REQUIRE(model.rowCount() == 2);
  CHECK(model.keyAt(0) == ProcessKey{7, 1007});
  CHECK(model.entry(0).values[at(Column::MinorRate)] == 8192.0);
  CHECK(model.entry(0).values[at(Column::MajorRate)] == 6.0);
  CHECK(model.entry(0).values[at(Column::MinorTotal)] == 4096.0);
  CHECK(model.entry(0).values[at(Column::Peak)] == 8192.0);
  CHECK(model.entry(1).values[at(Column::MinorRate)] == 0.0);
  CHECK(textAt(model, 0, Column::Process) == QStringLiteral("game"));
  CHECK(textAt(model, 0, Column::MinorTotal) == QStringLiteral("4\u202f096"));
  CHECK(textAt(model, 1, Column::Threads) == QStringLiteral("12"));
  CHECK(model.index(0, 0).data(ProcessModel::KeyRole).value<ProcessKey>() == ProcessKey{7, 1007});
}

TEST_CASE("The parent is the process that had the pid when the child was born, not a later one") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  stage.process(40, "make");
  for (const std::uint32_t pid : {41U, 42U}) stage.process(pid, "sh").values.set(ProcessMetric::ParentPid, 40);
  stage.tick();
  stage.exit(40);
  ProcessSample later = stage.process(41);
  later.key = {40, 90'000'000'000};
  later.name = "later";
  stage.processes[later.key] = later;
  stage.process(43, "unseen parent").values.set(ProcessMetric::ParentPid, 39);
  later.key = {39, 90'000'000'000};
  stage.processes[later.key] = later;
  stage.tick();
  model.refresh();
  const auto parentOf = [&](std::uint32_t pid) { return model.find({pid, 1000 + pid})->parent; };
  CHECK(parentOf(41) == QStringLiteral("make (40)"));
  CHECK(parentOf(43) == QStringLiteral("39"));
}

TEST_CASE("An unavailable number is a dash that says why, and never a zero") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  stage.process(7).values.clear(ProcessMetric::ResidentBytes);
  stage.tick();
  model.refresh();
  const QString dash = QStringLiteral("–");
  CHECK(textAt(model, 0, Column::ZeroedRate) == dash);
  CHECK(toolTipAt(model, 0, Column::ZeroedRate) == QStringLiteral("Needs a capability.\nGrant it."));
  CHECK(textAt(model, 0, Column::MinorRate) == dash);
  CHECK(toolTipAt(model, 0, Column::MinorRate).contains(QStringLiteral("two samples")));
  CHECK(textAt(model, 0, Column::Resident) == dash);
  CHECK(textAt(model, 0, Column::MinorTotal) == QStringLiteral("0"));
  CHECK(model.index(0, columnIndex(Column::MinorTotal)).data(ProcessModel::DimRole).toBool());
}

TEST_CASE("The fault time of a process that faulted only while nobody looked is a dash, not a zero") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  for (const std::uint32_t pid : {7U, 9U}) {
    stage.process(pid, "make").values.set(ProcessMetric::FaultTime, std::uint64_t{0});
    stage.process(pid, "make").values.set(ProcessMetric::TimedFaults, std::uint64_t{0});
  }
  stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 4096);
  stage.tick();
  model.refresh();
  CHECK_FALSE(model.entry(0).values[at(Column::FaultTimeTotal)].has_value());
  CHECK(model.entry(1).values[at(Column::FaultTimeTotal)] == 0.0);  // it has not faulted at all
}

TEST_CASE("The parts of fault time are told beside its rate and beside its total") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  const std::vector<std::pair<ProcessMetric, std::uint64_t>> times{{ProcessMetric::FaultTime, 6'000'000},
                                                                   {ProcessMetric::FaultTimeOnProcessor, 1'000'000},
                                                                   {ProcessMetric::FaultTimeWaiting, 2'000'000},
                                                                   {ProcessMetric::FaultTimeBlocked, 3'000'000}};
  stage.process(7, "game");
  for (int i = 0; i < 2; ++i) {
    for (const auto& [metric, ns] : times) stage.add(7, metric, ns);
    stage.add(7, ProcessMetric::TimedFaults, 5);
    stage.tick();
  }
  model.refresh();
  CHECK(toolTipAt(model, 0, Column::FaultTimeTotal)
            .contains(QStringLiteral("2.00 ms on a processor, 4.00 ms waiting for a processor, 6.00 ms blocked")));
  CHECK(toolTipAt(model, 0, Column::FaultTimeRate)
            .contains(QStringLiteral("per second: 2.00 ms on a processor, 4.00 ms waiting for a processor, 6.00 ms")));
  model.showInstant(stage.time);
  CHECK_FALSE(toolTipAt(model, 0, Column::FaultTimeRate).contains(QStringLiteral("on a processor")));
}

TEST_CASE("An estimated number says so") {
  StagedMonitor stage;
  const Pins pins;
  stage.hello.quality(ProcessMetric::CommitBytes) = {Grade::Estimated, "data + stack", "", 64};
  stage.monitor.ingest(stage.hello);
  ProcessModel model(stage.monitor, pins);
  stage.process(7).values.set(ProcessMetric::CommitBytes, std::uint64_t{1} << 20U);
  stage.tick();
  model.refresh();
  CHECK(textAt(model, 0, Column::Commit).startsWith(QStringLiteral("≈ ")));
  CHECK(toolTipAt(model, 0, Column::Commit).contains(QStringLiteral("data + stack")));
}

TEST_CASE("A time that has faded to less than a nanosecond is 0, as in the rows without faults") {
  const Hello hello;
  ProcessEntry entry;
  entry.values[at(Column::FaultTimeRate)] = 0.3;
  CHECK(cellText(entry, Column::FaultTimeRate, {.hello = hello, .standing = true}).endsWith(QStringLiteral("0")));
  entry.values[at(Column::FaultTimeRate)] = 0.7;
  CHECK(cellText(entry, Column::FaultTimeRate, {.hello = hello, .standing = true}).endsWith(QStringLiteral("1 ns")));
}

TEST_CASE("Hostile names are shown as one printable line") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  stage.process(7, "a\nb\x1b[31m");
  stage.tick();
  model.refresh();
  CHECK(textAt(model, 0, Column::Process) == QStringLiteral("a\\nb\\x1b[31m"));
}

TEST_CASE("Processes come and go, are pinned and looked at in the past, and the model stays sound", "[slow]") {
  StagedMonitor stage;
  Pins pins;
  ProcessModel model(stage.monitor, pins);
  const QAbstractItemModelTester tester(&model, kFatal);
  const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  for (std::uint32_t round = 0; round < 60; ++round) {
    for (std::uint32_t pid = 1; pid < 40; ++pid) {
      if ((pid * 7 + round) % 5 == 0) stage.kill(pid);
      else stage.add(pid, ProcessMetric::MinorFaults, std::uint64_t{pid} * round);
    }
    stage.tick();
    if (round % 6 == 0) pins.toggle({round % 40, 1000 + round % 40});
    if (round % 10 == 7) model.showInstant(stage.time - kStageInterval * 3);
    if (round % 10 == 9) model.showInstant(std::nullopt);
    model.refresh();
    if (model.instant()) continue;
    std::size_t alive = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
      const ProcessEntry& entry = model.entry(row);
      const ProcessRow* truth = stage.monitor.now().find(entry.key);
      CHECK((truth != nullptr) == (entry.presence == Presence::Running));
      if (!truth) continue;
      ++alive;
      CHECK(entry.values[at(Column::MinorRate)] ==
            stage.monitor.now().perSecond(truth->deltas.get(ProcessMetric::MinorFaults)));
    }
    CHECK(alive == stage.processes.size());
  }
  CHECK(resets.empty());
}

TEST_CASE("Only cells whose value changed are announced") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  for (std::uint32_t pid = 1; pid <= 50; ++pid) stage.process(pid);
  for (int i = 0; i < 3; ++i) stage.tick();
  model.refresh();
  QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  stage.tick();
  model.refresh();
  model.settle();
  CHECK(changes.empty());
  stage.add(20, ProcessMetric::ResidentBytes, 4096);
  stage.tick();
  model.refresh();
  model.settle();
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().at(0).toModelIndex() == model.index(19, columnIndex(Column::Resident)));
}

TEST_CASE("A pinned process that has gone keeps its last values and loses its rates") {
  StagedMonitor stage;
  Pins pins;
  ProcessModel model(stage.monitor, pins);
  const QAbstractItemModelTester tester(&model, kFatal);
  stage.process(7, "game");
  stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 500);
  stage.tick();
  model.refresh();
  pins.toggle({7, 1007});
  stage.kill(7);
  stage.tick();
  model.refresh();
  REQUIRE(model.rowCount() == 1);
  CHECK(textAt(model, 0, Column::Process) == QStringLiteral("game · ended"));
  CHECK(textAt(model, 0, Column::MinorTotal) == QStringLiteral("500"));
  CHECK(textAt(model, 0, Column::MinorRate) == QStringLiteral("–"));
  CHECK(model.index(0, 1).data(ProcessModel::DimRole).toBool());
  pins.toggle({7, 1007});
  CHECK(model.rowCount() == 0);
}

TEST_CASE("At an instant of the past the model shows who was alive and what History kept") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  const QAbstractItemModelTester tester(&model, kFatal);
  stage.process(7, "gone");
  stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 100);
  stage.add(7, ProcessMetric::CommitBytes, 8192);
  stage.tick();
  const MonotonicTime then = stage.time;
  stage.kill(7);
  stage.process(8, "new");
  stage.tick();
  stage.tick();
  model.refresh();
  CHECK(textAt(model, 0, Column::Process) == QStringLiteral("new"));
  model.showInstant(then);
  REQUIRE(model.rowCount() == 1);
  CHECK(model.shownTime() == then);
  CHECK(textAt(model, 0, Column::Process) == QStringLiteral("gone"));
  CHECK(model.entry(0).values[at(Column::MinorRate)] == 200.0);
  CHECK(model.entry(0).values[at(Column::Commit)] == 8192.0);
  CHECK(toolTipAt(model, 0, Column::MinorTotal).contains(QStringLiteral("present only")));
  model.showInstant(std::nullopt);
  REQUIRE(model.rowCount() == 1);
  CHECK(textAt(model, 0, Column::Process) == QStringLiteral("new"));
}

TEST_CASE("An ended process keeps a grey row with its final totals for half a minute, and no rates") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  const QAbstractItemModelTester tester(&model, kFatal);
  stage.process(7, "clang");
  stage.process(8, "idle");
  stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 10'000);
  stage.tick();
  model.refresh();
  stage.add(7, ProcessMetric::MinorFaults, 5000);
  stage.exit(7);
  stage.tick();
  model.refresh();
  REQUIRE(model.rowCount() == 2);
  CHECK(model.entry(0).values[at(Column::MinorRate)] == 10'000.0);
  CHECK(model.endedCount() == 1);
  stage.tick();
  model.refresh();
  REQUIRE(model.rowCount() == 2);
  CHECK(textAt(model, 0, Column::Process) == QStringLiteral("clang · ended"));
  CHECK(textAt(model, 0, Column::MinorTotal) == QStringLiteral("15\u202f000"));
  CHECK(textAt(model, 0, Column::MinorRate) == QStringLiteral("–"));
  CHECK(model.index(0, columnIndex(Column::MinorTotal)).data(ProcessModel::DimRole).toBool());
  for (int i = 0; i < 58; ++i) stage.tick();
  model.refresh();
  CHECK(model.rowCount() == 2);
  for (int i = 0; i < 2; ++i) stage.tick();
  model.refresh();
  CHECK(model.rowCount() == 1);
}

TEST_CASE("A process that vanishes without final totals keeps the last that were seen") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  stage.add(7, ProcessMetric::MinorFaults, 9000);
  stage.process(8);
  stage.tick();
  model.refresh();
  stage.kill(7);
  stage.tick();
  model.refresh();
  REQUIRE(model.rowCount() == 2);
  CHECK(model.entry(0).presence == Presence::Ended);
  CHECK(textAt(model, 0, Column::MinorTotal) == QStringLiteral("9\u202f000"));
}

TEST_CASE("A thousand short-lived processes in each interval do not flood the table") {
  StagedMonitor stage;
  const Pins pins;
  ProcessModel model(stage.monitor, pins);
  const QAbstractItemModelTester tester(&model, kFatal);
  stage.process(1, "ninja");
  std::uint32_t pid = 10;
  for (int interval = 0; interval < 5; ++interval) {
    for (int i = 0; i < 1000; ++i, ++pid) {
      stage.add(pid, ProcessMetric::MinorFaults, std::uint64_t{pid} * 10);
      stage.exit(pid);
    }
    stage.tick();
    model.refresh();
    CHECK(model.rowCount() == 1 + static_cast<int>(EndedProcesses::kMost));
    CHECK(model.keyAt(model.rowCount() - 1) == ProcessKey{pid - 1, 1000 + pid - 1});
  }
  model.showInstant(stage.time);
  model.showInstant(std::nullopt);
  model.refresh();
  CHECK(model.keyAt(0) == ProcessKey{1, 1001});
}

}  // namespace faultline
