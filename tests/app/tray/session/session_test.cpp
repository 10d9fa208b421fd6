#include "app/tray/session/session.h"

#include <QFile>
#include <QFileInfo>
#include <catch2/catch_test_macros.hpp>
#include <ctime>
#include <filesystem>

#include "app/tray/session/pace_text.h"
#include "app/tray/widgets/local_time.h"
#include "app/tray/widgets/saved_file.h"
#include "core/text/quantity.h"
#include "platform/host/costs/calibration_file.h"
#include "platform/host/costs/conditions.h"
#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// A session with a collector that sends 20 snapshots, later ones after each start, and then waits.
struct Live {
  Live() : session(Settings(), nullptr, folder.path()) {
    for (unsigned start = 1; start <= 3; ++start)
      folder.write("stream" + QByteArray::number(start), testStream(20, false, 1, 100 * start));
    folder.collector("log calls\nstream stream#\nwait");
    QObject::connect(&session, &Session::failed, [this](const QString& sentence) { failures << sentence; });
  }
  [[nodiscard]] QStringList calls() const {
    QFile file(folder.path("calls"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  }
  [[nodiscard]] bool waitForSnapshots(std::uint64_t count) const {
    return waitUntil([&] { return session.monitor().snapshots() >= count; });
  }

  TestFolder folder;
  Session session;
  QStringList failures;
};

constexpr unsigned kLong = 20'000;
constexpr unsigned kBurst = 8'000;

// Nearly three hours of fifty processes, of which the first has a burst of faults between two key snapshots.
Snapshot longSnapshot(unsigned index) {
  Snapshot snapshot = testSnapshot(index, 50);
  auto& values = snapshot.processes[0].values;
  if (index >= kBurst) values.set(ProcessMetric::MinorFaults, *values.get(ProcessMetric::MinorFaults) + 1'000'000);
  return snapshot;
}

QByteArray longStream() {
  Encoder encoder;
  QByteArray bytes;
  const auto append = appenderTo(bytes);
  append(encoder.hello(testHello()));
  for (unsigned i = 0; i < kLong; ++i) append(encoder.snapshot(longSnapshot(i)));
  append(encoder.end());
  CHECK(static_cast<std::uint64_t>(bytes.size()) > kLongRecording);
  return bytes;
}

bool wholeShown(const Session& session) {
  return session.averages() && session.monitor().history().newest() == testSnapshot(kLong - 1).time;
}

}  // namespace

TEST_CASE("A live session goes from starting to live and feeds the monitor") {
  Live live;
  QList<Session::State> states;
  QObject::connect(&live.session, &Session::stateChanged, [&] { states << live.session.state(); });
  live.session.startLive();
  CHECK(live.session.state() == Session::State::Starting);
  REQUIRE(live.waitForSnapshots(20));
  CHECK(states == QList<Session::State>{Session::State::Starting, Session::State::Live});
  const Moment& now = live.session.monitor().now();
  REQUIRE(now.rows.size() == 1);
  CHECK(now.rows[0].name == "worker");
  CHECK(now.perSecond(now.rows[0].deltas.get(ProcessMetric::MinorFaults)) == 2000.0);
  CHECK(live.calls() == QStringList{QStringLiteral("sweep --interval 500ms --faster --attended")});
}

TEST_CASE("A pause ends the collector and keeps the data") {
  Live live;
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  live.session.setPaused(true);
  CHECK(live.session.state() == Session::State::Paused);
  CHECK(live.session.monitor().snapshots() == 20);
  live.session.setPaused(false);
  REQUIRE(live.waitForSnapshots(40));
  CHECK(live.session.state() == Session::State::Live);
  CHECK(live.calls().size() == 2);
}

TEST_CASE("Another interval restarts the collector, another threshold does not") {
  Live live;
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  Settings settings;
  settings.spikes.factor = 10;
  live.session.apply(settings);
  settings.interval = 20ms;
  live.session.apply(settings);
  REQUIRE(live.waitForSnapshots(40));
  CHECK(live.calls() == QStringList{QStringLiteral("sweep --interval 500ms --faster --attended"),
                                    QStringLiteral("sweep --interval 20ms --faster --attended")});
}

TEST_CASE("Sweeps come faster while a game is watched, which the state tells with its cost") {
  Settings settings;
  settings.interval = 100ms;
  Session session(settings, nullptr, QStringLiteral(FAULTLINE_BIN));
  const auto every = [](Nanoseconds time) { return QString::fromStdString("every " + formatDuration(time)); };
  session.startSynthetic();
  REQUIRE(waitUntil([&] { return session.monitor().snapshots() >= 5; }));
  session.setWatching(true);
  const auto told = [&] {
    return session.stateText().contains(every(50ms) + QStringLiteral(" while a game is watched ("));
  };
  REQUIRE(waitUntil(told));
  CHECK(session.stateText().endsWith(QStringLiteral(" of a core)")));
  CHECK(redrawPause(session.live(), 100ms) == 100ms);
  session.setWatching(false);
  CHECK_FALSE(told());  // a spike of the machine may run
  settings.faster = false;
  session.setWatching(true);
  session.apply(settings);
  const QString usual = QStringLiteral("Synthetic machine, ") + every(100ms);
  REQUIRE(waitUntil([&] { return session.stateText() == usual; }));
  const auto before = session.monitor().snapshots();
  REQUIRE(waitUntil([&] { return session.monitor().snapshots() >= before + 10; }));
  CHECK(session.stateText() == usual);
  CHECK(redrawPause(session.live(), 100ms) < 100ms);
}

TEST_CASE("The synthetic machine comes from the same collector, and starts with an empty history") {
  Live live;
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  live.session.startSynthetic();
  CHECK(live.session.monitor().snapshots() == 0);
  REQUIRE(live.waitForSnapshots(20));
  CHECK(live.calls().back() == QStringLiteral("sweep --interval 500ms --faster --attended --synthetic"));
}

TEST_CASE("The synthetic machine with the numbers of Windows comes from the same collector") {
  Live live;
  live.session.startSynthetic(true);
  REQUIRE(live.waitForSnapshots(20));
  CHECK(live.calls().back() == QStringLiteral("sweep --interval 500ms --faster --attended --synthetic windows"));
}

TEST_CASE("A lost collector is reported, and restarted") {
  Live live;
  live.folder.collector("exit 1");
  live.session.startLive();
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Lost; }));
  CHECK(live.session.stateText().contains(QStringLiteral("Trying again in")));
  live.folder.collector("stream stream1\nwait");
  REQUIRE(live.waitForSnapshots(20));
  CHECK(live.session.state() == Session::State::Live);
}

TEST_CASE("A pause while the collector is lost stops the attempts") {
  Live live;
  live.folder.collector("exit 1");
  live.session.startLive();
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Lost; }));
  live.session.setPaused(true);
  CHECK(live.session.state() == Session::State::Paused);
  CHECK_FALSE(waitUntil([&] { return live.session.state() != Session::State::Paused; }, 1500));
}

TEST_CASE("A recording replaces the live view, which returns afterwards, measured meanwhile") {
  Live live;
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  live.session.openRecording(live.folder.write("five.faultline", testStream(5)));
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Replay; }));
  CHECK(live.session.monitor().snapshots() == 5);
  const QString date = localTime(testSnapshot(0).wallTime).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
  CHECK(live.session.stateText() == QStringLiteral("Viewing five.faultline: %1, 2.00 s, 5 snapshots.").arg(date));
  CHECK(live.session.viewedFile() == QStringLiteral("five.faultline"));
  CHECK(live.session.liveState() == Session::State::Live);
  CHECK(live.session.live().snapshots() == 20);
  int shown = 0;
  int measured = 0;
  QObject::connect(&live.session, &Session::ingested, [&] { ++shown; });
  QObject::connect(&live.session, &Session::measured, [&] { ++measured; });
  live.session.restartCollector();  // whose next stream comes while the recording is on show
  REQUIRE(waitUntil([&] { return live.session.live().snapshots() == 40; }));
  CHECK(measured == 20);
  CHECK(shown == 0);
  CHECK(live.session.monitor().snapshots() == 5);
  live.session.startLive();
  CHECK(live.session.viewedFile().isEmpty());
  CHECK(live.session.state() == Session::State::Live);
  CHECK(live.session.monitor().snapshots() == 40);
  CHECK(live.calls().size() == 2);  // going back starts none
  CHECK(live.failures.isEmpty());
}

TEST_CASE("A truncated recording is shown as far as it goes, with a remark") {
  Live live;
  QByteArray stream = testStream(50);
  stream.chop(40);
  live.session.openRecording(live.folder.write("cut.faultline", stream));
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Replay; }));
  CHECK(live.session.monitor().snapshots() >= 40);
  CHECK(live.session.stateText().contains(QStringLiteral("cut off in the middle")));
}

TEST_CASE("A recording with damage in the middle is read to its end, with a remark") {
  Live live;
  QByteArray stream = testStream(2000);
  stream[stream.size() / 2] = static_cast<char>(~stream[stream.size() / 2]);
  live.session.openRecording(live.folder.write("damaged.faultline", stream));
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Replay; }));
  CHECK(live.session.monitor().now().time == testSnapshot(1999).time);
  CHECK(live.session.stateText().size() >
        QStringLiteral("Viewing damaged.faultline: 2027-01-15 08:00, 16 min 40 s, 2 000 snapshots.").size());
}

TEST_CASE("A file that is not a recording does not change the live view") {
  Live live;
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  const QStringList files{live.folder.path("absent"), live.folder.path(), live.folder.write("empty", {}),
                          live.folder.write("text", "Dear diary, today nothing faulted.\n")};
  for (const QString& file : files) {
    live.failures.clear();
    live.session.openRecording(file);
    REQUIRE(waitUntil([&] { return !live.failures.isEmpty(); }));
    CHECK(live.session.state() == Session::State::Live);
    CHECK(live.session.monitor().snapshots() == 20);
  }
  CHECK(live.calls().size() == 1);
}

TEST_CASE("Loading can be cancelled, has a progress and never blocks the event loop", "[slow]") {
  Live live;
  live.session.openRecording(live.folder.write("long.faultline", testStream(20'000, true, 50)));
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Loading; }));
  int ingested = 0;
  QObject::connect(&live.session, &Session::ingested, [&] { ++ingested; });
  std::clock_t longestTurn = 0;  // processor time, because other programs may run in between
  QElapsedTimer all;
  all.start();
  while (live.session.loadingProgress() < 0.2) {
    const std::clock_t begin = std::clock();
    QCoreApplication::processEvents();
    longestTurn = std::max(longestTurn, std::clock() - begin);
  }
  INFO("the longest turn of the event loop took " << longestTurn * 1000 / CLOCKS_PER_SEC << " ms");
  CHECK(longestTurn < CLOCKS_PER_SEC / 5);  // a slice is 12 ms
  CHECK(ingested <= all.elapsed() / 100 + 1);
  const double progress = live.session.loadingProgress();
  CHECK(progress < 1);
  live.session.cancelLoading();
  CHECK(live.session.state() == Session::State::Replay);
  CHECK(live.session.stateText().contains(QStringLiteral("cancelled")));
  CHECK(live.session.monitor().snapshots() > 0);
}

TEST_CASE("A long recording is shown as averages at once, and in full when all of it has been read", "[slow]") {
  Live live;
  Session& session = live.session;
  session.openRecording(live.folder.write("long.faultline", longStream()));
  REQUIRE(waitUntil([&] { return session.averages().has_value(); }));
  QList<std::uint64_t> shown;  // snapshots, of each monitor that took the place of another
  QObject::connect(&session, &Session::ingested, [&] {
    const std::uint64_t now = session.monitor().snapshots();
    if (shown.isEmpty() || now != shown.back()) shown << now;
  });
  REQUIRE(waitUntil([&] { return wholeShown(session); }));
  CHECK(session.averages() == 1min);
  const Monitor& monitor = session.monitor();
  CHECK(session.state() == Session::State::Loading);
  CHECK(session.stateText().contains(QStringLiteral("averages of 60.0 s where more")));
  REQUIRE(monitor.history().oldest() == testSnapshot(0).time);
  CHECK(monitor.history().newest() == testSnapshot(kLong - 1).time);
  CHECK(monitor.spikes().empty());
  CHECK_FALSE(session.monitor().spikesKnown());
  const auto rateOf = [&](unsigned from, unsigned to) {
    double sum = 0;
    const auto buckets = monitor.history().process({100, 5}, ProcessMetric::MinorFaults, testSnapshot(from).time,
                                                   testSnapshot(to).time, 1000);
    for (const Bucket& bucket : buckets) sum += double{bucket.mean};
    CHECK_FALSE(buckets.empty());
    return sum / static_cast<double>(std::max<std::size_t>(buckets.size(), 1));
  };
  CHECK(rateOf(240, 4'000) == 2'000);
  CHECK(rateOf(kLong - 500, kLong - 1) == 2'000);
  CHECK(monitor.now().interval == 500ms);  // the newest are read in full
  REQUIRE(waitUntil([&] { return session.state() == Session::State::Replay; }));
  CHECK_FALSE(session.averages());
  CHECK(shown.back() == kLong);
  CHECK(monitor.history().oldest() == testSnapshot(0).time);
  CHECK(rateOf(240, 4'000) == 2'000);
  REQUIRE(monitor.spikes().size() == 1);
  CHECK(monitor.spikes()[0].start == testSnapshot(kBurst - 1).time);
  const QString all = QString::fromStdString(formatCount(kLong)) + QStringLiteral(" snapshots");
  CHECK(session.stateText().endsWith(all + QLatin1Char('.')));
}

TEST_CASE("A long recording whose reading is cancelled stays on show as averages, and says so", "[slow]") {
  Live live;
  live.session.openRecording(live.folder.write("long.faultline", longStream()));
  REQUIRE(waitUntil([&] { return wholeShown(live.session); }));
  live.session.cancelLoading();
  CHECK(live.session.state() == Session::State::Replay);
  CHECK(live.session.averages() == 1min);
  CHECK(live.session.monitor().history().oldest() == testSnapshot(0).time);
  CHECK(live.session.monitor().history().newest() == testSnapshot(kLong - 1).time);
  CHECK(live.session.stateText().endsWith(QStringLiteral(
      "Reading was cancelled: these are averages of 60.0 s where more than an hour is in view, without spikes and "
      "short-lived processes.")));
  CHECK_FALSE(live.session.stateText().contains(QString::fromStdString(formatCount(kLong))));
  live.session.startLive();
  CHECK_FALSE(live.session.averages());
}

TEST_CASE("The spikes that the end of a long recording tells are there at once, and are those that reading finds",
          "[slow]") {
  Live live;
  Session& session = live.session;
  const QString file = live.folder.path("told.faultline");
  Monitor recorded;
  auto writer = RecordingWriter::create(file.toStdU16String(), testHello());
  REQUIRE(writer);
  recorded.ingest(testHello());
  for (unsigned i = 0; i < kLong; ++i) {
    recorded.ingest(longSnapshot(i));
    REQUIRE(writer->add(longSnapshot(i)));
  }
  REQUIRE(writer->finish(&recorded.spikes()));
  session.openRecording(file);
  CHECK(session.monitor().spikesKnown());  // of what is live
  REQUIRE(waitUntil([&] { return wholeShown(session); }));
  CHECK(session.monitor().spikesKnown());
  CHECK_FALSE(session.stateText().contains(QStringLiteral("without spikes")));
  const std::deque<Spike> told = session.monitor().spikes();
  CHECK(told.size() == 1);
  REQUIRE(waitUntil([&] { return session.state() == Session::State::Replay; }));
  CHECK(session.monitor().spikes() == told);
  CHECK(session.monitor().spikesKnown());
}

TEST_CASE("Going live in the middle of loading drops the recording") {
  Live live;
  live.session.openRecording(live.folder.write("long.faultline", testStream(20'000, true, 20)));
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Loading; }));
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  CHECK(live.session.state() == Session::State::Live);
  CHECK(live.session.monitor().snapshots() == 20);
}

TEST_CASE("A recording begun in the middle of a stream has all later data, across a restart of the collector") {
  Live live;
  const QString file = live.folder.path("mine.faultline");
  CHECK_FALSE(live.session.startRecording(file));  // nothing has been sent yet
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  int changes = 0;
  QObject::connect(&live.session, &Session::recordingChanged, [&] { ++changes; });
  REQUIRE(live.session.startRecording(file));
  CHECK(live.session.recording());
  CHECK(live.session.recordingFile() == file);
  live.session.setPaused(true);
  live.session.setPaused(false);
  REQUIRE(live.waitForSnapshots(40));
  CHECK(live.session.recordedBytes() == static_cast<quint64>(QFileInfo(file).size()));
#ifndef Q_OS_WIN  // whose files have lists of rights
  CHECK(QFileInfo(file).permissions() == (QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser));
#endif
  live.session.stopRecording();
  CHECK_FALSE(live.session.recording());
  CHECK(changes == 2);
  live.session.openRecording(file);
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Replay; }));
  CHECK(live.session.monitor().snapshots() == 20);
  CHECK(live.session.monitor().now().time == testSnapshot(219).time);
  CHECK(live.session.stateText().endsWith(QStringLiteral("20 snapshots.")));
  CHECK(live.session.startRecording(live.folder.path("other")));  // of what is measured behind it
  CHECK(live.session.live().snapshots() == 40);
  CHECK(live.failures.isEmpty());
}

TEST_CASE("What just happened is kept across a restart of the collector, as a whole recording") {
  Live live;
  CHECK_FALSE(live.session.recent().newest());
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  live.session.restartCollector();
  REQUIRE(live.waitForSnapshots(40));
  RecentReader reader = live.session.recent().since(*live.session.recent().newest() - 1h);
  std::string bytes;
  while (reader.next(bytes)) continue;
  const QString file = live.folder.path("recent.faultline");
  REQUIRE(saveBytes(file, bytes));
  live.session.openRecording(file);
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Replay; }));
  CHECK(live.session.monitor().snapshots() == 40);
  CHECK(live.session.stateText().endsWith(QStringLiteral("40 snapshots.")));  // without a remark
}

TEST_CASE("A recording keeps the fault time that a calibration estimates, by one price from begin to end") {
  Live live;
  const auto calibrate = [](double ns) {
    Calibration calibration;
    calibration.place = placeOf(testHello().machine, costSettings());
    calibration.touch = {.median = ns, .low = ns, .high = ns};
    REQUIRE(saveCalibration(calibrationFile(), calibration));
  };
  calibrate(1000);
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  REQUIRE(live.session.startRecording(live.folder.path("mine.faultline")));
  calibrate(2000);
  live.session.loadCalibration();
  CHECK(live.session.monitor().calibration()->touch.median == 1000);
  live.session.setPaused(true);
  live.session.setPaused(false);
  REQUIRE(live.waitForSnapshots(40));
  live.session.stopRecording();
  CHECK(live.session.monitor().calibration()->touch.median == 2000);
  std::filesystem::remove(calibrationFile());
  live.session.openRecording(live.folder.path("mine.faultline"));
  REQUIRE(waitUntil([&] { return live.session.state() == Session::State::Replay; }));
  const Monitor& monitor = live.session.monitor();
  CHECK(monitor.calibration() == nullptr);
  CHECK(monitor.hello().quality(ProcessMetric::FaultTime).grade == Grade::Estimated);
  CHECK(monitor.hello().quality(ProcessMetric::FaultTime).how.starts_with("Minor faults times their price"));
  REQUIRE(monitor.now().rows.size() == 1);
  const auto& deltas = monitor.now().rows[0].deltas;
  REQUIRE(deltas.has(ProcessMetric::FaultTime));
  CHECK(deltas.get(ProcessMetric::FaultTime) == 1000 * deltas.get(ProcessMetric::MinorFaults).value_or(0));
}

TEST_CASE("A recording that cannot begin gives an error, and a recording that cannot go on ends") {
  Live live;
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  CHECK_FALSE(live.session.startRecording(live.folder.path("no/such/folder/x")));
  CHECK_FALSE(live.session.recording());
  if (!QFile::exists(QStringLiteral("/dev/full"))) SKIP("this system has no /dev/full");
  const Result<void> started = live.session.startRecording(QStringLiteral("/dev/full"));
  if (started) {
    live.session.setPaused(true);
    live.session.setPaused(false);
    REQUIRE(live.waitForSnapshots(21));
    CHECK(live.failures.size() == 1);
  }
  CHECK_FALSE(live.session.recording());
  REQUIRE(live.waitForSnapshots(started ? 40 : 20));
  CHECK(live.session.state() == Session::State::Live);
}

TEST_CASE("A user is looking while the numbers are on show or recorded") {
  Live live;
  const QString wishes = live.folder.path("wishes");
  live.folder.collector("stream stream1\nkeep-input wishes");
  const auto told = [&](const QByteArray& all) {
    return waitUntil([&] {
      QFile file(wishes);
      return file.open(QIODevice::ReadOnly) && file.readAll() == all;
    });
  };
  live.session.setOnShow(false);
  live.session.startLive();
  REQUIRE(live.waitForSnapshots(20));
  CHECK(told("-"));
  REQUIRE(live.session.startRecording(live.folder.path("recording")));
  CHECK(told("-+"));
  live.session.setOnShow(true);
  live.session.setOnShow(false);
  live.session.stopRecording();
  CHECK(told("-+-"));
  live.session.setOnShow(true);
  CHECK(told("-+-+"));
}
