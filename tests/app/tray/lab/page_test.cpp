#include "app/tray/lab/page.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/file_answer.h"
#include "tests/app/tray/lab/fake_lab.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr const char* kRuns = "complain eager: process 4711\nstream result";

struct PageStage {
  explicit PageStage(const QByteArray& commands = kRuns) : page(fakeLab(folder, commands)) {
    folder.write("result", labDocument(labReport()));
    QObject::connect(&page, &LabPage::failed, [this](const QString& sentence) { trouble = sentence; });
    QObject::connect(&page, &LabPage::calibrated, [this] { ++calibrated; });
    page.resize(1200, 400);
    page.show();
  }
  [[nodiscard]] QToolButton& button(const char* text) {
    const auto all = page.findChildren<QToolButton*>();
    const auto found = std::ranges::find(all, QString::fromUtf8(text), &QToolButton::text);
    REQUIRE(found != all.end());
    return **found;
  }
  void choose(const char* experiment) {
    auto& box = *page.findChild<QComboBox*>();
    box.setCurrentIndex(box.findData(QString::fromUtf8(experiment)));
  }
  void run() {
    choose("eager");
    button("Run").click();
    REQUIRE(waitUntil([&] { return !page.reports().empty(); }));
  }
  [[nodiscard]] QTableView& table() { return *page.findChild<QTableView*>(); }
  [[nodiscard]] QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }

  const TestFolder folder;
  LabPage page;
  QString trouble;
  int calibrated = 0;
};

}  // namespace

TEST_CASE("A result of the lab is a table, a chart and claims") {
  PageStage stage;
  CHECK_FALSE(stage.button("Save…").isEnabled());
  stage.run();
  CHECK(stage.trouble.isEmpty());
  CHECK(stage.table().model()->rowCount() == 4);
  CHECK(stage.cell(1, 0) == QStringLiteral("lazy"));
  CHECK(stage.cell(1, static_cast<int>(LabColumn::Faults)) == QStringLiteral("9785"));
  CHECK(stage.table().isColumnHidden(LabRows::kThere));
  CHECK(stage.page.findChild<QTabWidget*>()->tabText(1) == QStringLiteral("Claims: 5 of 5 hold"));
  auto& chart = *stage.page.findChild<LabChart*>();
  CHECK(chart.spoken() == QStringList{QStringLiteral("lazy: 683 µs"), QStringLiteral("sentinel: 28.4 µs")});
  for (const int width : {700, 230}) {  // no value is cut off
    chart.resize(width, 300);
    chart.replot();
    REQUIRE(chart.itemCount() == 2);
    for (int i = 0; i < chart.itemCount(); ++i)
      CHECK(chart.item(i)->anchor(QStringLiteral("right"))->pixelPosition().x() <= chart.width());
  }
  const auto boxes = stage.page.findChildren<QComboBox*>();
  const auto times = std::ranges::find(boxes, QStringLiteral("Times in the chart"), &QWidget::accessibleName);
  REQUIRE(times != boxes.end());
  CHECK((*times)->currentText() == QStringLiteral("hot, per page"));  // took most time
  (*times)->setCurrentIndex(0);
  CHECK(chart.spoken().front().startsWith(QStringLiteral("lazy: 150 ns")));
}

TEST_CASE("The result is copied as Markdown, and saved as JSON, CSV or Markdown") {
  PageStage stage;
  stage.run();
  stage.button("Copy").click();
  CHECK(QApplication::clipboard()->text().contains(QStringLiteral("| lazy | hot |")));
  const auto saved = [&](const char* name) {
    stage.button("Save…").click();
    answerFile(stage.folder.path(name));
    QFile file(stage.folder.path(name));
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
  };
  CHECK(parseLabJson(saved("a.json").toStdString()) == std::vector{labReport()});
  CHECK(saved("a.csv").startsWith("experiment,way,phase"));
  CHECK(saved("a.md").startsWith("eager: t"));
}

TEST_CASE("A saved result of another machine stands beside the result, until it is sent away") {
  PageStage stage;
  stage.run();
  const QString file = stage.folder.write("other.json", labDocument(labReport(3)));
  stage.button("Compare…").click();
  answerFile(file);
  CHECK_FALSE(stage.table().isColumnHidden(LabRows::kThere));
  CHECK(stage.cell(1, LabRows::kRatio) == QStringLiteral("3"));
  CHECK(stage.page.findChild<LabChart*>()->spoken().front().contains(QStringLiteral("other machine 2.05 ms")));
  const auto legends = [&] {
    return std::ranges::count(stage.page.findChildren<LineLabel*>(), QStringLiteral("hollow: machine 3"),
                              &LineLabel::line);
  };
  CHECK(legends() == 1);
  stage.button("Stop comparing").click();
  CHECK(legends() == 0);
  CHECK(stage.table().isColumnHidden(LabRows::kThere));
  CHECK_FALSE(stage.page.compareWith(stage.folder.write("none.json", "{}")));
  CHECK_FALSE(stage.page.compareWith(stage.folder.path("missing.json")));
  CHECK(stage.table().isColumnHidden(LabRows::kThere));
}

TEST_CASE("A saved result is shown, and its experiment chosen") {
  PageStage stage;
  LabReport pool = labReport();
  pool.experiment = "pool";
  REQUIRE(stage.page.open(stage.folder.write("pool.json", labDocument(pool))));
  CHECK(stage.page.findChild<QComboBox*>()->currentData().toString() == QStringLiteral("pool"));
  CHECK(stage.page.findChild<LineLabel*>()->line() == QStringLiteral("machine 1, quick form"));
  stage.choose("cost");  // has no result
  CHECK(stage.page.findChild<LineLabel*>()->line().contains(QStringLiteral("needs 128 MiB of memory")));
  CHECK_FALSE(stage.button("Copy").isEnabled());
}

TEST_CASE("A result with lanes draws the run in which most threads resume together; another can be picked") {
  PageStage stage;
  auto& tabs = *stage.page.findChild<QTabWidget*>();
  CHECK_FALSE(tabs.isTabVisible(2));
  LabReport report = labReport();
  LanePicture picture{.run = "one worker", .took = 80ms, .sentence = "40 faults", .faults = 40};
  picture.lanes = {{.thread = "reader (7)", .faults = 30, .longest = 2ms, .inside = {}},
                   {.thread = "worker\n(8)", .faults = 10, .longest = 1ms, .inside = {}}};
  for (LanePicture::Lane& lane : picture.lanes) lane.inside.assign(kLaneColumns, 0);
  picture.lanes[0].inside[0] = 50;
  report.lanes = {picture, picture};
  report.lanes[1].run = "two workers";
  report.lanes[1].resumed = {{0, 2}};
  stage.folder.write("result", labDocument(report));
  stage.run();
  CHECK(stage.page.reports() == std::vector{report});
  CHECK(tabs.isTabVisible(2));
  CHECK(tabs.currentIndex() == 2);
  auto& view = *stage.page.findChild<LaneView*>();
  CHECK(view.spoken().startsWith(QStringLiteral("reader (7): 30 faults, the longest 2.00 ms; worker")));
  CHECK_FALSE(view.spoken().contains(u'\n'));
  const auto textAtBegin = [&] {
    for (int x = 0; x < view.width(); ++x)
      if (const QString text = view.textAt({x, 10}); !text.isEmpty()) return text;
    return QString();
  };
  CHECK(textAtBegin() ==
        QStringLiteral("reader (7), 0 ns after the begin: 50 % of 100 µs inside faults.\n2 threads that "
                       "waited in faults resume together."));
  const auto boxes = stage.page.findChildren<QComboBox*>();
  const auto runs = std::ranges::find(boxes, QStringLiteral("Run in the lanes"), &QWidget::accessibleName);
  REQUIRE(runs != boxes.end());
  CHECK((*runs)->currentText() == QStringLiteral("two workers"));
  (*runs)->setCurrentIndex(0);
  CHECK(textAtBegin().endsWith(QStringLiteral("inside faults.")));
}

TEST_CASE("The process of an experiment is found once, as soon as a moment has it") {
  PageStage stage("complain eager: process 4711\nwait");
  stage.button("Run").click();
  Moment now;
  now.rows.resize(2);
  now.rows[0].key = {100, 7};
  now.rows[1].key = {4711, 9};
  std::optional<ProcessKey> begun;
  REQUIRE(waitUntil([&] { return (begun = stage.page.begun(now)).has_value(); }));
  CHECK(begun == ProcessKey{4711, 9});
  CHECK_FALSE(stage.page.begun(now));
  stage.button("Cancel").click();
  REQUIRE(waitUntil([&] { return !stage.page.running(); }));
  CHECK(stage.trouble.isEmpty());
  CHECK(stage.button("Run").isEnabled());
}

TEST_CASE("A calibration is told, made anew, and its refusal explained") {
  PageStage stage(
      "unless-argument calibrate exit 9\nif-file busy complain faultline-cli: Too busy.\nif-file busy exit 1");
  const auto labels = stage.page.findChildren<LineLabel*>();
  const auto line = [&] { return labels.back()->line(); };
  CHECK(line().startsWith(QStringLiteral("No calibration yet")));
  Calibration calibration;
  calibration.touch = {.median = 600, .low = 590, .high = 610};
  stage.page.showCalibration(&calibration, {"The calibration is old: it is 100 days old."});
  CHECK(line().startsWith(QStringLiteral("Calibration: 600 ns a fault (±2 %)")));
  CHECK(line().endsWith(QStringLiteral("The calibration is old: it is 100 days old.")));
  stage.button("Calibrate").click();
  CHECK_FALSE(stage.button("Calibrate").isEnabled());
  REQUIRE(waitUntil([&] { return stage.calibrated == 1; }));
  stage.folder.write("busy", "");
  stage.button("Calibrate").click();
  REQUIRE(waitUntil([&] { return !stage.trouble.isEmpty(); }));
  CHECK(stage.trouble == QStringLiteral("Too busy."));
  CHECK(stage.calibrated == 1);
}

TEST_CASE("The rows of a result are a sound model") {
  LabRows rows;
  const QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::Warning);
  rows.show(labReport(), nullptr);
  const LabReport other = labReport(2);
  rows.show(labReport(), &other);
  CHECK(rows.compares());
  CHECK(rows.headerData(LabRows::kThere, Qt::Horizontal, Qt::ToolTipRole)
            .toString()
            .contains(QStringLiteral("machine 2")));
  CHECK(rows.index(1, LabRows::kThere).data().toString() == QStringLiteral("13.7 ms"));
}

}  // namespace faultline
