#include "app/tray/session/live_source.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

struct Seen {
  explicit Seen(LiveSource& source) {
    QObject::connect(&source, &LiveSource::hello, [this] { ++hellos; });
    QObject::connect(&source, &LiveSource::snapshot,
                     [this](const Snapshot& snapshot) { snapshots.push_back(snapshot); });
  }

  int hellos = 0;
  std::vector<Snapshot> snapshots;
};

}  // namespace

TEST_CASE("The output of a collector arrives unchanged") {
  const TestFolder folder;
  folder.write("stream", testStream(40, false));
  LiveSource source(folder.path());
  const Seen seen(source);
  folder.collector("stream stream\nwait");
  source.start({}, 30s);
  REQUIRE(waitUntil([&] { return seen.snapshots.size() == 40; }));
  CHECK(seen.hellos == 1);
  for (unsigned i = 0; i < 40; ++i) {
    Snapshot snapshot = seen.snapshots[i];
    for (ProcessSample& process : snapshot.processes) process.service.clear();  // added by this machine
    REQUIRE(snapshot == testSnapshot(i));
  }
  CHECK(source.trouble().isEmpty());
}

TEST_CASE("A collector that dies is restarted, and its last message is shown") {
  const TestFolder folder;
  folder.write("stream", testStream(3, false));
  LiveSource source(folder.path());
  const Seen seen(source);
  folder.collector(
      "stream stream\nif-file second wait\ntouch second\ncomplain first\n"
      "complain the roof is on fire\nexit 3");
  source.start({}, 30s);
  REQUIRE(waitUntil([&] { return !source.trouble().isEmpty(); }));
  CHECK(source.trouble().contains(QStringLiteral("code 3")));
  CHECK(source.trouble().contains(QStringLiteral("the roof is on fire")));
  CHECK_FALSE(source.trouble().contains(QStringLiteral("first")));
  REQUIRE(waitUntil([&] { return seen.snapshots.size() == 6; }));
  CHECK(seen.hellos == 2);
  CHECK(source.trouble().isEmpty());
}

TEST_CASE("A collector is elevated by a wish, and the next one, which nobody wished for, is not") {
  const TestFolder folder;
  folder.write("stream", testStream(3, false));
  folder.collector("stream stream\nwait");
  folder.program("faultline-cli", "log calls\ncomplain faultline-cli: The permission was declined.\nexit 1");
  LiveSource source(folder.path());
  const Seen seen(source);
  source.start({}, 30s, true);
  CHECK(source.elevated());
  REQUIRE(waitUntil([&] { return !source.trouble().isEmpty(); }));
  CHECK(source.trouble().contains(QStringLiteral("The permission was declined.")));
  REQUIRE(waitUntil([&] { return seen.snapshots.size() == 3; }));
  CHECK_FALSE(source.elevated());
  QFile calls(folder.path("calls"));
  REQUIRE(calls.open(QIODevice::ReadOnly));
  CHECK(calls.readAll() == "elevated -- sweep --interval 500ms\n");
}

TEST_CASE("The error for a collector that cannot be started has the reason") {
  const TestFolder folder;
  LiveSource source(folder.path());
  QFile collector(folder.program("faultline-collector", {}));
  REQUIRE(collector.open(QIODevice::WriteOnly));  // no program of any system
  collector.write(
      "\x7f"
      "ELF");
  collector.close();
  source.start({}, 30s);
  REQUIRE(waitUntil([&] { return !source.trouble().isEmpty(); }));
  CHECK(source.trouble().startsWith(QStringLiteral("The collector cannot be started")));
}

TEST_CASE("The error for a missing collector names its place") {
  const TestFolder folder;
  LiveSource source(folder.path());
  source.start({}, 30s);
  CHECK(source.trouble().contains(QStringLiteral("faultline-collector")));
  CHECK(source.trouble().contains(folder.path()));
}

TEST_CASE("A program with other output is not a collector") {
  const TestFolder folder;
  LiveSource source(folder.path());
  folder.collector("babble");
  source.start({}, 30s);
  REQUIRE(waitUntil([&] { return !source.trouble().isEmpty(); }));
  source.stop();
}

TEST_CASE("A collector that falls silent is given up") {
  const TestFolder folder;
  LiveSource source(folder.path());
  folder.collector("wait");
  source.start({}, 100ms);
  REQUIRE(waitUntil([&] { return !source.trouble().isEmpty(); }));
  CHECK(source.trouble().contains(QStringLiteral("sent nothing")));
}

TEST_CASE("A collector's standard error is drained, and only its end is kept") {
  const TestFolder folder;
  folder.write("stream", testStream(5, false));
  LiveSource source(folder.path());
  const Seen seen(source);
  folder.collector("flood 20000 the same complaint\nstream stream\nwait");
  source.start({}, 30s);
  CHECK(waitUntil([&] { return seen.snapshots.size() == 5; }));
}

TEST_CASE("A collector that does not read its input does no harm") {
  const TestFolder folder;
  folder.write("stream", testStream(5, false));
  LiveSource source(folder.path());
  const Seen seen(source);
  folder.collector("close-input\nstream stream\nwait");
  source.start({}, 30s);
  REQUIRE(waitUntil([&] { return seen.snapshots.size() == 5; }));
  for (int i = 0; i < 10; ++i) source.attend(i % 2 != 0);
  CHECK_FALSE(waitUntil([&] { return !source.trouble().isEmpty(); }, 300));
}
