#include <sys/stat.h>

#include <QDir>
#include <QSignalSpy>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "app/tray/frames/past/frames_on_disk.h"
#include "core/recording/recording.h"
#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

const FrameRingLimits kQuick{.time = 10min, .bytes = 8U << 20U, .gathered = 5ms, .again = 20ms};

// A run of Faultline that keeps its past in this folder.
struct Run {
  explicit Run(const QString& in, const FrameRingLimits& limits = kQuick) : past(session, in), frames(limits) {
    QObject::connect(&frames, &FramesOnDisk::failed, [this](const QString& sentence) { failures << sentence; });
    past.setKept(true);
    frames.follow(past);
  }

  Session session{Settings()};
  PastOnDisk past;
  QStringList failures;
  FramesOnDisk frames;
};

// A window that watches a game, whose stream the test writes.
struct Game {
  explicit Game(FramesOnDisk& frames, const QByteArray& stream = gameStream({}), std::uint64_t count = 200) {
    folder.write("stream", stream);
    folder.collector("stream stream\nwait");
    frames.watch(watch);
    watch.start(SampleMode::Some);
    REQUIRE(waitUntil([&] { return watch.history().end() == count; }));
  }

  TestFolder folder;
  GameWatch watch{{.pid = 4711, .name = QStringLiteral("game"), .synthetic = true}, {}, folder.path()};
};

struct Read {
  std::vector<GameFrame> frames;
  std::vector<FaultSample> samples;
  std::string remark;
};

Read read(const QString& name) {
  Read result;
  auto file = RecordingFile::open(name.toStdU16String());
  while (file) {
    const auto event = file->next();
    if (!event || std::holds_alternative<RecordingEnd>(*event)) break;
    if (const auto* const batch = std::get_if<const GameFrameBatch*>(&*event))
      std::ranges::copy((*batch)->frames, std::back_inserter(result.frames));
    if (const auto* const batch = std::get_if<const FaultSampleBatch*>(&*event))
      std::ranges::copy((*batch)->samples, std::back_inserter(result.samples));
  }
  if (file) result.remark = file->remark();
  return result;
}

struct Home {
  TestFolder folder;
  QString in = folder.path("own");

  [[nodiscard]] QString file(const QString& name) const { return in + QLatin1Char('/') + name; }
  [[nodiscard]] QString ring(int number) const { return file(QStringLiteral("past-frames-%1.faultline").arg(number)); }
  [[nodiscard]] QStringList files() const {
    return QDir(in).entryList({QStringLiteral("*frames*")}, QDir::Files, QDir::Name);
  }
};

// Packets of 20 frames each, and the samples of those that faults hit.
QByteArray inBatches(std::uint64_t frames) {
  QByteArray bytes;
  Encoder encoder;
  const auto append = appenderTo(bytes);
  append(encoder.hello(gameHello()));
  for (std::uint64_t number = 1; number <= frames; number += 20) {
    GameFrameBatch batch;
    FaultSampleBatch samples;
    for (std::uint64_t i = number; i < number + 20; ++i) {
      batch.frames.push_back(gameFrame(i));
      if (i % 50 == 0) samples.samples = gameSamples(gameFrame(i), 64);
    }
    if (!samples.samples.empty()) append(encoder.faultSamples(samples));
    append(encoder.gameFrames(batch));
  }
  return bytes;
}

}  // namespace

TEST_CASE("Frames are on disk while their game runs, with samples and calls by name, and the next start offers them") {
  const Home home;
  QString earlier;
  {
    Run run(home.in);
    Game game(run.frames);
    // Of frames 150 and 200, which faults hit as well, more samples may come.
    REQUIRE(waitUntil([&] { return read(home.ring(1)).samples.size() == 2 * std::size_t{64}; }));
    const Read kept = read(home.ring(1));
    CHECK(kept.frames.size() == 200);
    CHECK(kept.frames.back() == gameFrame(200));
    CHECK(std::ranges::all_of(kept.samples, [](const FaultSample& sample) {
      return sample.calls && sample.registers.empty() && sample.stack.empty();
    }));
    CHECK(run.frames.earlier().empty());
    CHECK(run.failures.isEmpty());
  }
  Run next(home.in);
  REQUIRE(next.frames.earlier().size() == 1);
  const EarlierFrames& offered = next.frames.earlier().front();
  CHECK(offered.game == QStringLiteral("game"));
  CHECK(std::abs(offered.until.secsTo(QDateTime::currentDateTime())) < 3600);
  CHECK(home.files().size() == 1);  // the ring has become it
  struct stat status{};
  REQUIRE(::stat(offered.file.toLocal8Bit().constData(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);

  GameWatch shown({.pid = 0, .name = QStringLiteral("earlier"), .recording = offered.file}, {});
  shown.start(SampleMode::All);
  REQUIRE(waitUntil([&] { return shown.state() == GameWatch::State::Exited; }));
  CHECK(shown.stateText() == QStringLiteral("A recording"));
  CHECK(shown.history().end() == 200);
  REQUIRE(shown.samplesAt(49).size() == 64);
  for (const FaultSample& sample : shown.samplesAt(49)) CHECK(sample.calls);
  CHECK(shown.tally().lateByFaults == 4);
}

TEST_CASE("A ring of frames is bounded by time and by bytes, and each of its files can be read alone") {
  const Home home;
  FrameRingLimits limits = kQuick;
  SECTION("by time") {
    limits.time = 1s;
  }
  SECTION("by bytes") {
    limits.bytes = 2000;
  }
  limits.gathered = 0ms;
  Run run(home.in, limits);
  GameWatch watch({.pid = 4711, .name = QStringLiteral("game"), .synthetic = true}, {});
  run.frames.watch(watch);
  GameFrameBatch batch;
  Q_EMIT watch.received(StreamEvent(gameHello()));
  for (std::uint64_t number = 1; number <= 2000; number += 20) {
    batch.frames.clear();
    for (std::uint64_t i = number; i < number + 20; ++i) batch.frames.push_back(gameFrame(i));
    batch.state = GameState::ProgramLeft;  // such a batch does not wait for the next one
    Q_EMIT watch.received(StreamEvent(&std::as_const(batch)));
  }
  const Read before = read(home.ring(1) + QStringLiteral(".before"));
  const Read last = read(home.ring(1));
  REQUIRE_FALSE(before.frames.empty());
  REQUIRE_FALSE(last.frames.empty());
  CHECK(last.frames.back() == gameFrame(2000));
  CHECK(before.frames.back().number + 1 == last.frames.front().number);
  CHECK(before.frames.size() + last.frames.size() < 1000);
  CHECK(before.frames.size() >= 20);
  CHECK(home.files().size() == 2);
}

TEST_CASE("After a turn of the ring the samples of both files have their calls by name") {
  const Home home;
  FrameRingLimits limits = kQuick;
  limits.time = 100ms;
  {
    Run run(home.in, limits);
    Game game(run.frames);
    REQUIRE(waitUntil([&] { return read(home.ring(1)).samples.size() == 2 * std::size_t{64}; }));
    game.folder.write("stream", gameStream({.frames = 200, .first = 201}));
    game.watch.start(SampleMode::Some);  // another collector goes on
    const QString before = home.ring(1) + QStringLiteral(".before");
    REQUIRE(
        waitUntil([&] { return read(home.ring(1)).samples.size() == 2 * std::size_t{64} && QFile::exists(before); }));
    CHECK(std::ranges::all_of(read(home.ring(1)).samples, [](const FaultSample& sample) { return !!sample.calls; }));
  }
  const Run next(home.in);
  REQUIRE(next.frames.earlier().size() == 1);
  const Read both = read(next.frames.earlier().front().file);
  CHECK(both.frames.size() == 400);
  CHECK(both.samples.size() == 4 * std::size_t{64});
  CHECK(std::ranges::all_of(both.samples, [](const FaultSample& sample) { return !!sample.calls; }));
  CHECK(both.remark.empty());
}

TEST_CASE("The frames of so many games are kept, of this run and of earlier ones; the oldest go") {
  const Home home;
  for (int round = 0; round < 2; ++round) {
    Run run(home.in);
    CHECK(std::ssize(run.frames.earlier()) == (round == 0 ? 0 : FramesOnDisk::kGames));
    Game goesOn(run.frames);
    REQUIRE(waitUntil([&] { return QFile::exists(home.ring(1)); }));
    for (int i = 1; i <= FramesOnDisk::kGames; ++i) {
      const Game closed(run.frames);
      REQUIRE(waitUntil([&] { return QFile::exists(home.ring(1 + i)); }));
    }
    CHECK(QFile::exists(home.ring(1)));
    CHECK_FALSE(QFile::exists(home.ring(2)));  // the first whose window was closed
    CHECK(QFile::exists(home.ring(3)));
  }
  Run last(home.in);
  CHECK(std::ssize(last.frames.earlier()) == FramesOnDisk::kGames);
  CHECK(std::ranges::is_sorted(last.frames.earlier(), std::ranges::greater(), &EarlierFrames::until));
  CHECK(home.files().size() == FramesOnDisk::kGames);
  Game game(last.frames);
  REQUIRE(waitUntil([&] { return QFile::exists(home.ring(1)); }));
  last.frames.follow(last.past, false);
  CHECK(home.files().isEmpty());
  CHECK(last.frames.earlier().empty());
}

TEST_CASE("A window without a frame, and a second Faultline, keep and remove nothing") {
  const Home home;
  Run first(home.in);
  const Game idle(first.frames, gameStream({.frames = 0}), 0);
  CHECK(home.files().isEmpty());
  const Game game(first.frames);
  REQUIRE(waitUntil([&] { return home.files().size() == 1; }));
  {
    Run second(home.in);
    const Game other(second.frames);
    second.frames.follow(second.past, false);
  }
  CHECK(home.files().size() == 1);
}

TEST_CASE("Of a torn or damaged ring the rest is offered, and of one without a frame nothing") {
  const Home home;
  {
    Run run(home.in);
    const Game game(run.frames, inBatches(400), 400);
    REQUIRE(waitUntil([&] { return read(home.ring(1)).samples.size() >= 6 * std::size_t{64}; }));
  }
  bool frames = true;
  std::size_t samples = 6 * std::size_t{64};
  SECTION("cut off in its last packet") {
    QFile file(home.ring(1));
    REQUIRE(file.open(QIODevice::ReadWrite));
    REQUIRE(file.resize(file.size() - 20));
    samples = 0;  // one packet has them all
  }
  SECTION("after the file was renamed, before the next one began") {
    REQUIRE(QFile::rename(home.ring(1), home.ring(1) + QStringLiteral(".before")));
  }
  SECTION("in the middle of the next one's Hello") {
    REQUIRE(QFile::rename(home.ring(1), home.ring(1) + QStringLiteral(".before")));
    home.folder.write("own/past-frames-1.faultline", QByteArray(10, 'f'));
  }
  SECTION("while the recording of both was drawn") {
    home.folder.write("own/earlier-frames.draft", "half");
  }
  SECTION("without a packet that can be read") {
    home.folder.write("own/past-frames-1.faultline", QByteArray(100'000, 'x'));
    frames = false;
  }
  const Run next(home.in);
  CHECK(next.failures.isEmpty());
  REQUIRE(next.frames.earlier().empty() != frames);
  CHECK(home.files().size() == std::ssize(next.frames.earlier()));
  if (!frames) return;
  const Read rest = read(next.frames.earlier().front().file);
  CHECK(rest.frames.size() == 400);
  CHECK(rest.samples.size() >= samples);
}

TEST_CASE("On a full disk the frames are told to be lost, and kept again once there is room") {
  const Home home;
  Run run(home.in);
  const std::string file = home.ring(1).toStdString();
  std::filesystem::create_symlink("/dev/full", file);
  Game game(run.frames);
  REQUIRE(waitUntil([&] { return run.failures.size() == 1; }));
  CHECK(run.failures.first().contains(QStringLiteral("No space left on device")));
  std::filesystem::remove(file);
  std::uint64_t first = 201;
  REQUIRE(waitUntil([&] {
    GameFrameBatch batch;
    batch.frames.push_back(gameFrame(first++));
    Q_EMIT game.watch.received(StreamEvent(&std::as_const(batch)));
    return !read(home.ring(1)).frames.empty();
  }));
  CHECK(read(home.ring(1)).frames.front().number > 200);
}

}  // namespace faultline
