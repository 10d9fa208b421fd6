#include "app/tray/spikes/model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/spikes/text.h"
#include "core/spikes/text.h"
#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

const auto kFatalCheck = QAbstractItemModelTester::FailureReportingMode::Fatal;

void burst(StagedMonitor& stage, std::uint32_t pid, std::uint64_t faults) {
  stage.add(pid, ProcessMetric::MinorFaults, faults);
  stage.tick();
}

void quiet(StagedMonitor& stage, int ticks) {
  for (int i = 0; i < ticks; ++i) stage.tick();
}

}  // namespace

TEST_CASE("Spikes are listed newest first, and one burst stays one row while it grows") {
  StagedMonitor stage;
  Pins pins;
  SpikeMutes mutes;
  SpikeModel model(stage.monitor, pins, mutes);
  const QAbstractItemModelTester tester(&model, kFatalCheck);
  stage.process(7, "game");
  stage.process(8, "clang");
  quiet(stage, 40);
  model.refresh();
  REQUIRE(model.rowCount() == 0);

  burst(stage, 7, 100'000);
  model.refresh();
  REQUIRE(model.rowCount() == 1);
  CHECK(model.spike(0).open);
  QSignalSpy grown(&model, &QAbstractItemModel::dataChanged);
  burst(stage, 7, 90'000);
  model.refresh();
  REQUIRE(model.rowCount() == 1);
  CHECK(grown.size() == 1);
  CHECK(model.spike(0).faults == 190'000);

  quiet(stage, 20);
  model.refresh();
  CHECK_FALSE(model.spike(0).open);
  burst(stage, 8, 60'000);
  model.refresh();
  REQUIRE(model.rowCount() == 2);
  CHECK(model.spike(0).name == "clang");
  CHECK(model.spike(1).name == "game");
}

TEST_CASE("Cleared spikes stay hidden while they grow, return after undo, and new spikes are listed") {
  StagedMonitor stage;
  Pins pins;
  SpikeMutes mutes;
  SpikeModel model(stage.monitor, pins, mutes);
  const QAbstractItemModelTester tester(&model, kFatalCheck);
  stage.process(7, "game");
  stage.process(8, "clang");
  quiet(stage, 40);
  burst(stage, 7, 100'000);
  quiet(stage, 20);
  model.refresh();
  model.clear();
  burst(stage, 8, 60'000);
  model.refresh();
  REQUIRE(model.rowCount() == 1);
  CHECK(model.spike(0).name == "clang");
  model.clear();
  burst(stage, 8, 60'000);
  model.refresh();
  CHECK(model.rowCount() == 0);
  CHECK(stage.monitor.spikes().size() == 2);
  model.restore();  // undoes the last clear()
  REQUIRE(model.rowCount() == 1);
  CHECK(model.spike(0).faults == 120'000);
  quiet(stage, 20);
  burst(stage, 7, 100'000);
  model.refresh();
  REQUIRE(model.rowCount() == 2);
  CHECK(model.spike(0).name == "game");

  model.clear();
  stage.monitor.clear();
  stage.monitor.ingest(stage.hello);
  model.refresh();
  CHECK_FALSE(model.anyCleared());
  quiet(stage, 40);
  burst(stage, 7, 100'000);  // its id was cleared before
  model.refresh();
  CHECK(model.rowCount() == 1);
}

TEST_CASE("The list drops the spikes that Monitor drops") {
  StagedMonitor stage(3);
  Pins pins;
  SpikeMutes mutes;
  SpikeModel model(stage.monitor, pins, mutes);
  const QAbstractItemModelTester tester(&model, kFatalCheck);
  stage.process(7, "game");
  quiet(stage, 10);
  for (int i = 0; i < 6; ++i) {
    burst(stage, 7, 100'000);
    quiet(stage, 20);
    model.refresh();
    REQUIRE(model.rowCount() == 1);
    CHECK(model.row(0).times == stage.monitor.spikes().size());
    CHECK(model.spike(0) == stage.monitor.spikes().back());
  }
  CHECK(model.row(0).times == 3);
  stage.monitor.clear();
  model.refresh();
  CHECK(model.rowCount() == 0);
  stage.monitor.ingest(stage.hello);
  quiet(stage, 10);
  burst(stage, 7, 100'000);
  model.refresh();
  CHECK(model.rowCount() == 1);
}

TEST_CASE("Repeated spikes are one row that counts, and keeps its place") {
  StagedMonitor stage;
  Pins pins;
  SpikeMutes mutes;
  SpikeModel model(stage.monitor, pins, mutes);
  const QAbstractItemModelTester tester(&model, kFatalCheck);
  stage.process(7, "game");
  stage.process(8, "clang");
  quiet(stage, 40);
  burst(stage, 7, 26'000);
  quiet(stage, 9);
  burst(stage, 8, 60'000);
  quiet(stage, 9);
  model.refresh();
  QSignalSpy moved(&model, &QAbstractItemModel::rowsRemoved);
  for (int i = 0; i < 20; ++i) {
    burst(stage, 7, 26'350);
    quiet(stage, 9);
    model.refresh();
  }
  REQUIRE(model.rowCount() == 2);
  CHECK(moved.empty());
  CHECK(model.spike(0).name == "clang");
  CHECK(model.row(1).times == 21);
  CHECK(model.spike(1) == stage.monitor.spikes().back());
  const QString line = model.index(1).data().toString();
  CHECK(line.startsWith(QStringLiteral("game · 21 times, every 5.00 s · 26\u202f350 minor faults each")));
  burst(stage, 7, 900'000);
  model.refresh();
  REQUIRE(model.rowCount() == 3);
  CHECK(model.row(0).times == 1);
}

TEST_CASE("Spikes can be pinned, muted and filtered") {
  StagedMonitor stage;
  Pins pins;
  SpikeMutes mutes;
  SpikeModel model(stage.monitor, pins, mutes);
  const QAbstractItemModelTester tester(&model, kFatalCheck);
  for (std::uint32_t pid = 7; pid < 10; ++pid) stage.process(pid, "p" + std::to_string(pid));
  quiet(stage, 40);
  for (std::uint32_t pid = 7; pid < 10; ++pid) {
    burst(stage, pid, 60'000);
    quiet(stage, 9);
  }
  model.refresh();
  const auto names = [&] {
    std::string all;
    for (int row = 0; row < model.rowCount(); ++row) all += model.spike(row).name;
    return all;
  };
  CHECK(names() == "p9p8p7");
  pins.toggle(model.spike(2).key);
  CHECK(names() == "p7p9p8");
  mutes.mute("p9");
  CHECK(names() == "p7p8");
  mutes.set({});
  CHECK(names() == "p7p9p8");
  pins.set({});
  CHECK(names() == "p9p8p7");
  model.setFilter(QStringLiteral("P 8"));
  CHECK(names() == "p8");
  CHECK(model.anyHidden());
  model.setFilter({});
  CHECK(names() == "p9p8p7");
}

TEST_CASE("The text of a spike has time, process, metric, amount and duration") {
  qputenv("TZ", "UTC");
  Spike spike;
  spike.key = {4711, 1};
  spike.name = "ga\nme";
  spike.start = {std::chrono::seconds(10)};
  spike.end = {std::chrono::milliseconds(11'500)};
  spike.wallStart = {std::chrono::seconds(1'700'000'000) + std::chrono::milliseconds(250)};
  spike.peakPerSecond = 16'384;
  spike.usualPerSecond = 512;
  spike.faults = 8192;
  spike.open = false;
  CHECK(spikeTime(spike) == QStringLiteral("22:13:20"));
  CHECK(spikeAmount(spike) == "8\u202f192 minor faults in 1.50 s");
  CHECK(spikeLine(spike) == QStringLiteral("2023-11-14 22:13:20.250  ga\\nme (pid 4711): 8\u202f192 minor faults in "
                                           "1.50 s, peak 16.4 k/s · ×32 the usual"));
  spike.open = true;
  spike.usualPerSecond = 0;
  spike.metric = ProcessMetric::MajorFaults;
  CHECK(spikeLine(spike).endsWith(QStringLiteral("usually quiet, still going on")));
  CHECK(spikeDetails(spike).contains(QStringLiteral("major faults")));
}

}  // namespace faultline
