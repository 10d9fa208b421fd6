#include "app/tray/lab/lower_pane.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/lab/fake_lab.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

struct PaneStage {
  PaneStage() {
    folder.write("stream", testStream(3, false));
    folder.collector("stream stream\nwait");
    QObject::connect(&pane, &LowerPane::told, [this](const Result<QString>& sentence) { told = sentence; });
    pane.resize(1200, 400);
    pane.show();
  }

  const TestFolder folder;
  Session session{Settings(), nullptr, folder.path()};
  Pins pins;
  ProcessTable& table{*new ProcessTable(session.monitor(), pins)};  // the pane owns it
  LowerPane pane{session, table};
  std::optional<Result<QString>> told;
};

}  // namespace

TEST_CASE("The lab stands in place of the processes, until it is closed or a process is searched") {
  PaneStage stage;
  CHECK(stage.table.isVisible());
  stage.pane.labAction()->trigger();
  CHECK_FALSE(stage.table.isVisible());
  CHECK(stage.pane.labAction()->isChecked());
  stage.pane.labAction()->trigger();
  CHECK(stage.table.isVisible());
  stage.pane.showLab();
  CHECK_FALSE(stage.table.isVisible());
  stage.pane.focusFilter();
  CHECK(stage.table.isVisible());
  CHECK_FALSE(stage.pane.labAction()->isChecked());
}

TEST_CASE("The lab is opened with a saved result, or says why that cannot be read") {
  PaneStage stage;
  const LabPage& lab = stage.pane.showLab(stage.folder.write("result.json", labDocument(labReport())));
  CHECK(lab.reports().size() == 1);
  CHECK_FALSE(stage.told);
  stage.pane.showLab(stage.folder.path("missing.json"));
  REQUIRE(stage.told);
  CHECK_FALSE(*stage.told);
  CHECK(stage.told->error().message.starts_with("Cannot read "));
}

TEST_CASE("The lab says that there is no calibration") {
  PaneStage stage;
  stage.session.startLive();
  REQUIRE(waitUntil([&] { return stage.session.monitor().snapshots() == 3; }));
  const auto lines = stage.pane.showLab().findChildren<LineLabel*>();
  CHECK(lines.back()->line().startsWith(QStringLiteral("No calibration yet")));
}

}  // namespace faultline
