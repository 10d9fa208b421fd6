#include "app/tray/page/page.h"

#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/page/words.h"
#include "app/tray/table/row_actions.h"
#include "app/tray/trial/try_dialog.h"
#include "app/tray/widgets/utf8.h"
#include "core/text/quantity.h"
#include "platform/host/processes.h"
#include "tests/app/tray/table/table_stage.h"

namespace faultline {
namespace {

struct PageStage : TableStage {
  PageStage() {
    QObject::connect(&table, &ProcessTable::subjectChanged, &page, &SidePage::showProcess);
    table.resize(900, 300);
    table.show();
    page.resize(320, 700);
    page.show();
  }

  void tick() {
    stage.tick();
    table.refresh();
    QApplication::processEvents();
    page.refresh();
  }

  void select(const char* name) {
    for (int row = 0; row < view().model()->rowCount(); ++row)
      if (textAt(row, Column::Process) == QString::fromUtf8(name)) view().selectRow(row);
    QApplication::processEvents();
  }

  // A text of the page that can be seen.
  [[nodiscard]] bool says(const char* words) const {
    return std::ranges::any_of(page.findChildren<QLabel*>(), [&](const QLabel* label) {
      return label->isVisible() && label->text().contains(QString::fromUtf8(words));
    });
  }

  [[nodiscard]] QToolButton& button(const char* words) const {
    for (QToolButton* each : page.findChildren<QToolButton*>())
      if (each->text() == QString::fromUtf8(words)) return *each;
    FAIL("no button " << words);
    throw 0;
  }

  SpikeMutes mutes;
  SidePage page{stage.monitor, pins, mutes, table};
};

}  // namespace

TEST_CASE("The page says what it is for while nothing is selected") {
  PageStage f;
  CHECK(f.says("Select a process or a spike"));
  f.select("game");
  CHECK_FALSE(f.says("Select a process or a spike"));
  CHECK(f.says("pid 7"));
  f.view().clearSelection();
  QApplication::processEvents();
  CHECK(f.says("Select a process or a spike"));
}

TEST_CASE("The page keeps a process's name and cost after History has dropped it") {
  PageStage f;
  f.select("game");
  REQUIRE(f.page.cost().contains(QStringLiteral(": game: ")));
  f.stage.process(9, "helper").values.set(ProcessMetric::ParentPid, std::uint64_t{7});
  f.stage.tick();
  f.stage.exit(7);  // its children live on
  for (std::uint32_t pid = 1000; f.stage.monitor.history().name({7, 1007}) && pid < 200'000;) {
    for (int i = 0; i < 500; ++i) f.stage.exit(pid++);
    f.stage.tick();
  }
  REQUIRE_FALSE(f.stage.monitor.history().name({7, 1007}));
  f.table.refresh();
  f.page.refresh();
  REQUIRE(f.stage.monitor.cost({7, 1007}));
  CHECK(f.page.cost().contains(QStringLiteral(": game and the process")));
}

TEST_CASE("The page tells the cost of the selected process and its descendants, also long after its end") {
  PageStage f;
  const auto said = [&](const char* words) { return f.page.cost().contains(QString::fromUtf8(words)); };
  f.stage.process(20, "ninja");
  f.tick();
  f.stage.process(21, "cc1plus").values.set(ProcessMetric::ParentPid, std::uint64_t{20});
  f.tick();
  f.stage.add(21, ProcessMetric::MinorFaults, 3000);
  f.stage.exit(21);
  f.tick();
  f.select("ninja");
  CHECK(said("ninja and the process it started (ended): 3\u202f000 page faults"));

  f.stage.exit(20);
  for (int i = 0; i < 100; ++i) f.tick();
  CHECK(f.view().model()->rowCount() == 2);
  CHECK(said("ninja and"));

  f.view().selectRow(0);
  QApplication::processEvents();
  CHECK(said("game: "));
  f.view().clearSelection();
  QApplication::processEvents();
  CHECK_FALSE(f.page.process());
  f.table.setFollowed(ProcessKey{8, 1008});
  CHECK(said("=1+1: "));
}

TEST_CASE("The page says since when: Faultline's start, or the beginning of a recording") {
  PageStage f;
  f.select("game");
  CHECK(f.page.cost().startsWith(QStringLiteral("Since Faultline was started: ")));
  f.page.setReplay(true);
  CHECK(f.page.cost().startsWith(QStringLiteral("Since the recording began: ")));
}

TEST_CASE("The numbers of the page are those of the table, and each has its quality in a sentence") {
  PageStage f;
  f.stage.hello.quality(ProcessMetric::MinorFaults).how = "Counted by the kernel.";
  f.stage.monitor.ingest(f.stage.hello);
  f.stage.process(7).values.set(ProcessMetric::CommitBytes, std::uint64_t{3} << 20U);
  for (int i = 0; i < 6; ++i) f.tick();  // until the numbers of the table have settled
  f.select("game");
  const auto& numbers = *f.page.findChild<PageNumbers*>();
  const ProcessEntry& entry = *f.table.entry({7, 1007});
  for (const Column column : PageNumbers::kColumns)
    CHECK(numbers.value(column) == cellText(entry, column, f.table.context()));
  CHECK(numbers.value(Column::Commit) == QStringLiteral("3.00 MiB"));
  CHECK(numbers.value(Column::ZeroedRate) == QStringLiteral("–"));
  CHECK(f.says("Minor faults: exact. Counted by the kernel."));
  CHECK(f.says("Zeroed: unavailable. Needs a capability. To enable: Grant it."));
}

TEST_CASE("The headline is the share of a core that memory takes, and the rate of faults where no time is measured") {
  Hello hello;
  for (Quality& quality : hello.process) quality.grade = Grade::Exact;
  const Nanoseconds frame = std::chrono::microseconds(16'700);
  MinuteCost cost{.minor = 1200, .known = std::chrono::seconds(60)};
  Headline told = headlineOf(cost, hello, frame);
  CHECK(told.value == QStringLiteral("1.20 k"));
  CHECK(told.words == QStringLiteral("minor faults per second in the last minute"));
  cost.known = std::chrono::seconds(14);
  CHECK(headlineOf(cost, hello, frame).words == QStringLiteral("minor faults per second in 14.0 s of the last minute"));
  CHECK(costParts(cost).empty());

  cost.faults = 40e6;
  cost.teardown = 10e6;
  hello.quality(ProcessMetric::TeardownTime).grade = Grade::Estimated;
  told = headlineOf(cost, hello, frame);
  CHECK(told.value == QStringLiteral("≈ ") + text(formatPercent(0.05)));
  CHECK(told.words.endsWith(QStringLiteral("835 µs in each 16.7 ms")));
  const auto parts = costParts(cost);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].name == QStringLiteral("in faults"));
  CHECK(parts[1].text == QStringLiteral("10.0 ms/s"));
  cost.onProcessor = 30e6;
  cost.waiting = 8e6;
  cost.blocked = 2e6;
  double sum = 0;
  for (const Part& part : costParts(cost)) sum += part.amount;
  CHECK(sum == *cost.faults + *cost.teardown);
}

TEST_CASE("The cost of a minute is the average over the samples in it") {
  StagedMonitor stage;
  stage.process(7, "game").values.set(ProcessMetric::FaultTime, std::uint64_t{0});
  stage.tick();
  for (int i = 0; i < 10; ++i) {
    stage.add(7, ProcessMetric::FaultTime, i < 5 ? 1'000'000 : 3'000'000);
    stage.tick();
  }
  const MinuteCost cost = minuteCost(stage.monitor.history(), {7, 1007}, stage.time);
  REQUIRE(cost.faults);
  CHECK(*cost.faults == Catch::Approx(4e6));  // 2 ms in half a second
  CHECK(cost.minor == 0);
  CHECK(cost.known == std::chrono::seconds(5));
  CHECK_FALSE(cost.teardown);
}

TEST_CASE("Remedies can be tried on a process that lives here, from its page and from the menu") {
  PageStage f;
  const auto own = static_cast<std::uint32_t>(QCoreApplication::applicationPid());
  const bool known = !commandOf(own).empty();  // not on Windows
  f.stage.process(own, "me");
  f.tick();
  auto& button = *f.page.findChild<QToolButton*>(QStringLiteral("try"));
  CHECK_FALSE(button.isVisible());
  const auto offered = [&] {
    QMenu menu;
    f.table.fillMenu(menu);
    const auto actions = menu.actions();
    const auto found = std::ranges::find(actions, QStringLiteral("&Try remedies…"), &QAction::text);
    REQUIRE(found != actions.end());
    CHECK((*found)->isEnabled() == button.isEnabled());
    return button.isEnabled();
  };
  f.table.choose({own, 1000 + own});
  QCoreApplication::processEvents();
  CHECK(offered() == known);
  if (known) {
    button.click();
    const auto* dialog = f.table.window()->findChild<TryDialog*>();
    REQUIRE(dialog);
    CHECK(dialog->command().contains(QStringLiteral("faultline-cli try -- ")));
  }
  f.table.actions().setSource(QStringLiteral("This is a recording."), false);
  f.page.refresh();
  CHECK_FALSE(offered());
  f.table.actions().setSource({}, false);
  f.stage.exit(own);
  f.tick();
  CHECK_FALSE(offered());
}

TEST_CASE("The page pins, mutes, records and watches") {
  PageStage f;
  f.table.actions().setSource({}, true);
  f.select("game");
  f.button("Pin").click();
  CHECK(f.pins.colour({7, 1007}));
  f.button("Unpin").click();
  CHECK_FALSE(f.pins.colour({7, 1007}));
  f.button("Mute").click();
  CHECK(f.mutes.has("game"));
  f.button("Unmute").click();
  CHECK_FALSE(f.mutes.has("game"));
  QSignalSpy frames(&f.page, &SidePage::framesRequested);
  f.button("Watch frames").click();
  REQUIRE(frames.size() == 1);
  CHECK(frames[0][0].value<ProcessKey>() == ProcessKey{7, 1007});
  CHECK(frames[0][1].toString() == QStringLiteral("game"));
  const QSignalSpy records(&f.page, &SidePage::recordRequested);
  f.button("Record…").click();
  CHECK(records.size() == 1);
  f.page.setRecording(true);
  CHECK_FALSE(f.button("Stop recording").text().isEmpty());
}

TEST_CASE("The page tells the lines of a watched game that fault most, but not beside a recording") {
  PageStage f;
  f.page.setLinesOf([](std::uint32_t pid) { return QStringLiteral("50 %  lines of %1").arg(pid); });
  f.select("game");
  CHECK(f.says("50 %  lines of 7"));
  f.page.setReplay(true);
  CHECK_FALSE(f.says("50 %  lines of 7"));
}

TEST_CASE("A spike stands on the page of its process until another process is selected, and leads to its habit") {
  PageStage f;
  for (int burst = 0; burst < 3; ++burst) {
    f.stage.add(7, ProcessMetric::MinorFaults, 60'000);
    f.tick();
    for (int i = 0; i < 12; ++i) f.tick();
  }
  const auto& spikes = f.stage.monitor.spikes();
  REQUIRE(spikes.size() == 3);
  f.page.showSpike(spikes.back());
  CHECK(f.page.process() == ProcessKey{7, 1007});
  CHECK(f.says("◆ Spike at "));
  CHECK(f.says("3 of 3 times"));
  QApplication::processEvents();
  CHECK(f.page.widget()->width() <= f.page.viewport()->width());
  CHECK(f.says("60\u202f000 minor faults"));
  QSignalSpy others(&f.page, &SidePage::spikeRequested);
  f.page.findChild<SpikePart*>()->findChildren<QToolButton*>().front()->click();
  REQUIRE(others.size() == 1);
  CHECK(others[0][0].value<Spike>().id == spikes[1].id);
  f.page.showProcess(ProcessKey{7, 1007});
  CHECK(f.says("◆ Spike at "));
  f.page.showProcess(ProcessKey{8, 1008});
  CHECK_FALSE(f.says("◆ Spike at "));
}

}  // namespace faultline
