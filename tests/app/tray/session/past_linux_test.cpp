#include <sys/stat.h>

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "app/tray/session/past.h"
#include "core/recording/recording.h"
#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

const PastLimits kEach{.time = 1h, .bytes = 16U << 20U, .between = 450ms, .least = -1'000'000h, .again = 20ms};

// A session whose snapshots the test sends.
struct Run {
  explicit Run(const QString& in, const PastLimits& limits = kEach) : past(session, in, limits) {
    QObject::connect(&past, &PastOnDisk::failed, [this](const QString& sentence) { failures << sentence; });
    past.setKept(true);
  }
  void send(unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i) Q_EMIT session.recentAdded(testSnapshot(i));
  }

  Session session{Settings()};
  PastOnDisk past;
  QStringList failures;
};

struct Read {
  std::vector<MonotonicTime> times;
  std::string remark;
};

Read read(const QString& name) {
  Read result;
  auto file = RecordingFile::open(name.toStdU16String());
  REQUIRE(file);
  while (true) {
    const auto event = file->next();
    REQUIRE(event);
    if (std::holds_alternative<RecordingEnd>(*event)) break;
    if (const auto* const snapshot = std::get_if<const Snapshot*>(&*event)) result.times.push_back((*snapshot)->time);
  }
  result.remark = file->remark();
  return result;
}

struct Home {
  TestFolder folder;
  QString in = folder.path("own");

  [[nodiscard]] QString file(const char* name) const { return in + QLatin1Char('/') + QLatin1StringView(name); }
  [[nodiscard]] QStringList files() const { return QDir(in).entryList(QDir::Files); }
};

}  // namespace

TEST_CASE("What a run has measured is offered by the next one, whole and to its user alone") {
  const Home home;
  {
    Run first(home.in);
    CHECK_FALSE(first.past.earlier());
    first.send(0, 300);
  }
  Run next(home.in);
  REQUIRE(next.past.earlier());
  CHECK(next.past.earlier()->file == home.file("earlier.faultline"));
  CHECK_FALSE(next.past.earlier()->restarted);
  const Read earlier = read(next.past.earlier()->file);
  CHECK(earlier.times.size() == 300);
  CHECK(earlier.times.back() == testSnapshot(299).time);
  CHECK(earlier.remark.empty());
  next.send(300, 310);
  for (const QString& name : home.files()) {
    INFO(name.toStdString());
    struct stat status{};
    REQUIRE(::stat(home.file(name.toLatin1().constData()).toLocal8Bit().constData(), &status) == 0);
    CHECK((name == QStringLiteral("past.lock") || (status.st_mode & 0777U) == 0600U));
  }
  CHECK(next.failures.isEmpty());
}

TEST_CASE("A restart of the machine is told, and a moment's run takes the place of no earlier hour") {
  const Home home;
  Run(home.in).send(0, 20);
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 20);
  std::filesystem::last_write_time(home.file("past.faultline").toStdString(), long_ago);
  Run next(home.in);
  REQUIRE(next.past.earlier());
  REQUIRE(next.past.earlier()->restarted);
  CHECK(*next.past.earlier()->restarted < QDateTime::currentDateTime());
  next.send(20, 22);
  next.past.setKept(false);
  CHECK(home.files().isEmpty());

  PastLimits usual = kEach;
  usual.least = 1min;
  {
    Run(home.in, usual).send(0, 20);
  }
  {
    Run(home.in, usual).send(20, 22);
  }
  const Run last(home.in, usual);
  REQUIRE(last.past.earlier());
  CHECK(read(last.past.earlier()->file).times.size() == 20);
}

TEST_CASE("Of faster sweeps those that are kept are not late") {
  const Home home;
  {
    Run run(home.in);
    for (unsigned i = 0; i < 200; ++i) {
      Snapshot snapshot = testSnapshot(i);
      snapshot.time = testSnapshot(0).time + i * 50ms;
      snapshot.system.set(SystemMetric::SweepInterval, 50'000'000);
      Q_EMIT run.session.recentAdded(snapshot);
    }
  }
  auto file = RecordingFile::open(home.file("past.faultline").toStdU16String());
  REQUIRE(file);
  Monitor monitor;
  for (auto event = file->next(); event && !std::holds_alternative<RecordingEnd>(*event); event = file->next()) {
    if (const auto* const snapshot = std::get_if<const Snapshot*>(&*event)) monitor.ingest(**snapshot);
    if (monitor.snapshots() > 1) REQUIRE(monitor.now().gap == Gap::None);
  }
  CHECK(monitor.snapshots() == 23);  // 450 ms apart
}

TEST_CASE("The past is bounded by time and bytes, and by one snapshot in half a second") {
  const Home home;
  PastLimits limits = kEach;
  limits.time = 10s;
  {
    Run run(home.in, limits);
    run.send(0, 95);  // half a second each
  }
  {
    Run next(home.in, limits);
    REQUIRE(next.past.earlier());
    const Read earlier = read(next.past.earlier()->file);
    CHECK(earlier.times.size() == 35);
    CHECK(earlier.times.back() == testSnapshot(94).time);
    limits.bytes = 20'000;
    Run small(home.in + QStringLiteral("-small"), limits);
    small.send(0, 2000);
    CHECK(QFileInfo(home.in + QStringLiteral("-small/past.faultline")).size() < 30'000);
    CHECK(QFileInfo(home.in + QStringLiteral("-small/past.faultline.before")).size() < 30'000);
  }
  Run quick(home.in);
  for (unsigned i = 0; i < 100; ++i) {
    Snapshot snapshot = testSnapshot(0);
    snapshot.time = snapshot.time + i * 10ms;
    Q_EMIT quick.session.recentAdded(snapshot);
  }
  CHECK(read(home.file("past.faultline")).times.size() == 3);
}

TEST_CASE("A second Faultline leaves the past of the first alone") {
  const Home home;
  Run first(home.in);
  first.send(0, 10);
  {
    Run second(home.in);
    CHECK_FALSE(second.past.kept());
    CHECK_FALSE(second.past.earlier());
    second.send(100, 110);
    second.past.setKept(false);
  }
  first.send(10, 20);
  CHECK(read(home.file("past.faultline")).times.size() == 20);
  CHECK(first.failures.isEmpty());
}

TEST_CASE("On a full disk the past is told to be lost, and kept again once there is room") {
  const Home home;
  Run run(home.in);
  run.send(0, 5);
  Run full(home.folder.path("full"));
  const std::string file = home.folder.path("full/past.faultline").toStdString();
  std::filesystem::create_symlink("/dev/full", file);
  full.send(0, 5);
  REQUIRE(full.failures.size() == 1);
  CHECK(full.failures.first().contains(QStringLiteral("No space left on device")));
  std::filesystem::remove(file);
  unsigned next = 5;
  REQUIRE(waitUntil([&] {
    full.send(next, next + 1);
    ++next;
    return std::filesystem::exists(file);
  }));
  full.send(next, next + 5);
  CHECK(read(home.folder.path("full/past.faultline")).times.size() == 6);
  CHECK(full.failures.size() == 1);
}

TEST_CASE("Of a damaged past the rest is offered, and of none nothing") {
  const Home home;
  {
    Run(home.in).send(0, 300);
  }
  const QString ring = home.file("past.faultline");
  {
    QFile file(ring);
    REQUIRE(file.open(QIODevice::ReadWrite));
    REQUIRE(file.seek(file.size() / 2));
    file.write(QByteArray(200, '\xff'));
    REQUIRE(file.resize(file.size() - 20));
  }
  {
    const Run next(home.in);
    REQUIRE(next.past.earlier());
    const Read rest = read(next.past.earlier()->file);
    CHECK(rest.times.size() > 150);
    CHECK(rest.times.size() < 300);
    CHECK_FALSE(rest.remark.empty());
  }
  REQUIRE(QFile::remove(home.file("earlier.faultline")));
  {
    QFile file(ring);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(100'000, 'x'));
  }
  const Run last(home.in);
  CHECK_FALSE(last.past.earlier());
  CHECK(last.failures.isEmpty());
  CHECK_FALSE(home.files().contains(QStringLiteral("past.faultline")));
}

TEST_CASE("The past is there after an end at any moment of turning and taking over") {
  const Home home;
  const QString ring = home.file("past.faultline");
  PastLimits limits = kEach;
  limits.time = 10s;
  {
    Run(home.in, limits).send(0, 30);  // 20 before, 10 in the present file
  }
  SECTION("after the file was renamed, before the next one began") {
    REQUIRE(QFile::remove(ring));
  }
  SECTION("after the next one began, before its first packet was written") {
    QFile file(ring);
    REQUIRE(file.resize(0));
  }
  SECTION("in the middle of its Hello") {
    QFile file(ring);
    REQUIRE(file.resize(10));
  }
  SECTION("while the recording of both was drawn") {
    QFile draft(home.file("earlier.draft"));
    REQUIRE(draft.open(QIODevice::WriteOnly));
    draft.write("half");
  }
  SECTION("after it was drawn, before the ring was removed") {
    REQUIRE(QFile::copy(ring, home.file("earlier.faultline")));
  }
  Run next(home.in, limits);
  REQUIRE(next.past.earlier());
  const Read earlier = read(next.past.earlier()->file);
  CHECK(earlier.times.size() >= 20);
  CHECK(std::ranges::is_sorted(earlier.times));
  next.send(30, 40);
  CHECK(read(ring).times.size() == 10);
  CHECK(next.failures.isEmpty());
  CHECK_FALSE(home.files().contains(QStringLiteral("earlier.draft")));
}

}  // namespace faultline
