#include "app/tray/lab/run.h"

#include <QSignalSpy>
#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "tests/app/tray/lab/fake_lab.h"
#include "tests/app/tray/wait_until.h"

#ifdef Q_OS_WIN
#include <windows.h>
#else
#include <csignal>
#endif

namespace faultline {
namespace {

struct End {
  std::vector<LabReport> reports;
  QString trouble;
};

struct RunStage {
  explicit RunStage(const QByteArray& commands) : run(commands.isEmpty() ? QString() : fakeLab(folder, commands)) {
    folder.write("result", labDocument(labReport()));
    QObject::connect(&run, &LabRun::progressed, [this](const LabProgress& each) { progress.push_back(each); });
    QObject::connect(&run, &LabRun::ended, [this](const std::vector<LabReport>& reports, const QString& trouble) {
      end = End{reports, trouble};
    });
  }
  [[nodiscard]] QByteArray written(const char* name) const {
    QFile file(folder.path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  const TestFolder folder;
  LabRun run;
  std::vector<LabProgress> progress;
  std::optional<End> end;
};

bool exists(const QByteArray& pid) {
#ifdef Q_OS_WIN
  const HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, pid.toULong());
  const bool runs = process != nullptr && WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
  if (process != nullptr) CloseHandle(process);
  return runs;
#else
  return kill(pid.toInt(), 0) == 0;
#endif
}

}  // namespace

TEST_CASE("A run of the lab gives its progress and its result") {
  RunStage stage("log arguments\ncomplain eager: process 4711\ncomplain eager: turn 2 of 4\nstream result");
  stage.run.start(QStringLiteral("eager"), LabForm::Quick);
  CHECK(stage.run.running());
  REQUIRE(waitUntil([&] { return stage.end.has_value(); }));
  CHECK(stage.end->trouble.isEmpty());
  CHECK(stage.end->reports == std::vector{labReport()});
  REQUIRE(stage.progress.size() == 2);
  CHECK(stage.progress[0].pid == 4711U);
  CHECK(stage.progress[1].done == 0.25);
  CHECK(stage.written("arguments").startsWith("lab eager --format json --ends-with "));
  CHECK(stage.written("arguments").trimmed().endsWith("--quick"));
}

TEST_CASE("A run that is to have lanes asks for them, in the quick form") {
  RunStage stage("log arguments\nstream result");
  stage.run.start(QStringLiteral("pool"), LabForm::Lanes);
  REQUIRE(waitUntil([&] { return stage.end.has_value(); }));
  CHECK(stage.written("arguments").trimmed().endsWith("--quick --lanes"));
}

TEST_CASE("A run that fails says why, with the results that there are") {
  RunStage memory("complain faultline-cli: Experiment cost needs 1.17 GiB of memory.\nexit 1");
  memory.run.start(QStringLiteral("cost"), LabForm::Long);
  REQUIRE(waitUntil([&] { return memory.end.has_value(); }));
  CHECK(memory.end->trouble == QStringLiteral("Experiment cost needs 1.17 GiB of memory."));
  CHECK(memory.end->reports.empty());

  RunStage half("complain faultline-cli: One failed.\nstream result\nexit 1");
  half.run.start(QStringLiteral("all"), LabForm::Long);
  REQUIRE(waitUntil([&] { return half.end.has_value(); }));
  CHECK(half.end->trouble == QStringLiteral("One failed."));
  CHECK(half.end->reports.size() == 1);

  RunStage damaged("say nonsense");
  damaged.run.start(QStringLiteral("all"), LabForm::Long);
  REQUIRE(waitUntil([&] { return damaged.end.has_value(); }));
  CHECK(damaged.end->trouble.startsWith(QStringLiteral("This is no result of the lab")));

  RunStage killed("die");
  killed.run.start(QStringLiteral("all"), LabForm::Long);
  REQUIRE(waitUntil([&] { return killed.end.has_value(); }));
  CHECK(killed.end->trouble.contains(QStringLiteral("was killed")));

  const TestFolder folder;
  LabRun missing(folder.path("missing"));
  std::optional<QString> trouble;
  QObject::connect(&missing, &LabRun::ended, [&](const auto&, const QString& why) { trouble = why; });
  missing.start(QStringLiteral("all"), LabForm::Quick);
  REQUIRE(waitUntil([&] { return trouble.has_value(); }));
  CHECK(trouble->startsWith(QStringLiteral("The lab cannot be started")));
}

TEST_CASE("A cancelled run ends its process, and is no trouble") {
  RunStage stage("pid pid\ncomplain eager: warming up\nwait");
  stage.run.start(QStringLiteral("eager"), LabForm::Quick);
  REQUIRE(waitUntil([&] { return !stage.progress.empty(); }));
  stage.run.cancel();
  REQUIRE(waitUntil([&] { return stage.end.has_value(); }));
  CHECK(stage.end->trouble.isEmpty());
  CHECK(stage.end->reports.empty());
  CHECK_FALSE(exists(stage.written("pid")));
  CHECK_FALSE(stage.run.running());
}

TEST_CASE("The experiment's process ends with the window that started it") {
  const TestFolder folder;
  std::optional<std::uint32_t> pid;
  {
    LabRun run;  // the real program
    QObject::connect(&run, &LabRun::progressed, [&](const LabProgress& each) {
      if (each.pid) pid = each.pid;
    });
    run.start(QStringLiteral("eager"), LabForm::Long);
    REQUIRE(waitUntil([&] { return pid.has_value(); }));
    CHECK(exists(QByteArray::number(*pid)));
  }
  CHECK(waitUntil([&] { return !exists(QByteArray::number(*pid)); }));
}

}  // namespace faultline
