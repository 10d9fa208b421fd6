#include <catch2/catch_test_macros.hpp>

#include "core/history/history.h"
#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

struct Recorder {
  void take(Scene& scene) {
    derive(hello, has ? &previous : nullptr, scene.now, moment);
    history.add(moment);
    previous = scene.now;
    has = true;
  }

  Hello hello = helloOf(500ms);
  Snapshot previous;
  bool has = false;
  Moment moment;
  History history;
};

}  // namespace

TEST_CASE("An empty history has no values") {
  const History history;
  CHECK_FALSE(history.oldest());
  CHECK_FALSE(history.newest());
  CHECK_FALSE(history.at({1, 0}, ProcessMetric::MinorFaults, {}));
  CHECK_FALSE(history.name({1, 0}));
  CHECK(history.aliveAt({}).empty());
  CHECK(history.wall({}) == WallTime{});
  CHECK(history.process({1, 0}, ProcessMetric::MinorFaults, {}, {1h}, 100).empty());
  CHECK(history.total(ProcessMetric::MinorFaults, {}, {1h}, 100).empty());
}

TEST_CASE("A value holds until the next sample, but not across a gap") {
  Scene scene;
  Recorder recorder;
  scene.process(1).values.set(ProcessMetric::CommitBytes, 4096);
  recorder.take(scene);
  const MonotonicTime start = scene.now.time;
  scene.fault(1, 50);
  scene.tick();
  recorder.take(scene);
  scene.tick(1h);
  recorder.take(scene);
  const History& history = recorder.history;
  const ProcessKey key{1, 0};

  CHECK_FALSE(history.at(key, ProcessMetric::MinorFaults, start));
  CHECK(history.at(key, ProcessMetric::CommitBytes, start) == 4096.0F);
  CHECK_FALSE(history.at(key, ProcessMetric::CommitBytes, start - 1ns));
  CHECK(history.at(key, ProcessMetric::CommitBytes, start + 499ms) == 4096.0F);
  CHECK(history.at(key, ProcessMetric::MinorFaults, start + 500ms) == 100.0F);
  CHECK_FALSE(history.at(key, ProcessMetric::MinorFaults, start + 501ms));
  CHECK(history.at(key, ProcessMetric::MinorFaults, start + 1h + 500ms) == 0.0F);
  CHECK_FALSE(history.at(key, ProcessMetric::ResidentBytes, start));
}

TEST_CASE("The newest value holds for three intervals; an unknown process has no value") {
  Scene scene;
  Recorder recorder;
  for (int i = 0; i < 2; ++i, scene.tick()) {
    scene.process(1).values.set(ProcessMetric::CommitBytes, 4096);
    recorder.take(scene);
  }
  const History& history = recorder.history;
  const MonotonicTime newest = *history.newest();
  CHECK(history.at({1, 0}, ProcessMetric::CommitBytes, newest + 1500ms) == 4096.0F);
  CHECK_FALSE(history.at({1, 0}, ProcessMetric::CommitBytes, newest + 1501ms));
  CHECK_FALSE(history.at({2, 0}, ProcessMetric::CommitBytes, newest));
}

TEST_CASE("Living processes are known for any instant, with a reused pid as another process") {
  Scene scene;
  Recorder recorder;
  scene.process(1);
  recorder.take(scene);
  const MonotonicTime start = scene.now.time;
  scene.birth(7);
  const ProcessKey first = scene.now.processes.at(1).key;
  scene.tick();
  recorder.take(scene);
  scene.tick();
  recorder.take(scene);
  scene.death(first);
  scene.birth(7);
  const ProcessKey second = scene.now.processes.at(1).key;
  scene.tick();
  recorder.take(scene);
  const History& history = recorder.history;

  CHECK(history.aliveAt(start - 1s).empty());
  CHECK(history.aliveAt(start + 499ms) == std::vector<ProcessKey>{{1, 0}});
  CHECK(history.aliveAt(start + 500ms) == std::vector<ProcessKey>{{1, 0}, first});
  CHECK(history.aliveAt(start + 1499ms) == std::vector<ProcessKey>{{1, 0}, first});
  CHECK(history.aliveAt(start + 1500ms) == std::vector<ProcessKey>{{1, 0}, second});
  CHECK(history.name(first) == "p7");
}

TEST_CASE("The wall time of an instant follows a clock that was set") {
  Scene scene;
  Recorder recorder;
  scene.process(1);
  recorder.take(scene);
  const MonotonicTime start = scene.now.time;
  const WallTime wall = scene.now.wallTime;
  scene.tick();
  scene.now.wallTime.sinceEpoch += 1h;
  recorder.take(scene);
  CHECK(recorder.history.wall(start + 100ms).sinceEpoch == wall.sinceEpoch + 100ms);
  CHECK(recorder.history.wall(start + 600ms).sinceEpoch == wall.sinceEpoch + 1h + 600ms);
  CHECK(recorder.history.wall(start - 5s).sinceEpoch == wall.sinceEpoch - 5s);
}

TEST_CASE("The total's commit is the system's; its rates are sums over processes") {
  Scene scene;
  Recorder recorder;
  scene.process(1).values.set(ProcessMetric::CommitBytes, 1);
  scene.process(2).values.set(ProcessMetric::CommitBytes, 2);
  scene.now.system.set(SystemMetric::CommittedBytes, 8192);
  scene.now.system.set(SystemMetric::TotalBytes, 16384);
  scene.now.system.set(SystemMetric::AvailableBytes, 4096);
  recorder.take(scene);
  scene.fault(1, 10);
  scene.fault(2, 20);
  scene.tick();
  recorder.take(scene);
  const MonotonicTime now = scene.now.time;
  const auto value = [&](ProcessMetric series) { return recorder.history.total(series, now, now, 1).at(0).max; };
  CHECK(value(ProcessMetric::MinorFaults) == 60.0F);
  CHECK(value(ProcessMetric::CommitBytes) == 8192.0F);
  CHECK(value(ProcessMetric::ResidentBytes) == 12288.0F);
  CHECK(recorder.history.total(ProcessMetric::ZeroedBytes, now, now, 1).empty());
}

TEST_CASE("Time that stands still or runs backwards does not change history") {
  Scene scene;
  Recorder recorder;
  scene.process(1);
  recorder.take(scene);
  recorder.take(scene);
  scene.tick(-1s);
  recorder.take(scene);
  CHECK(recorder.history.newest() == recorder.history.oldest());
}

TEST_CASE("The mean of a bucket is over the process's samples, also if the process ended within it") {
  Scene scene;
  Recorder recorder;
  const MonotonicTime start = scene.now.time;
  scene.process(1);
  for (const std::uint64_t commit : {4096U, 12288U}) {
    scene.process(7).values.set(ProcessMetric::CommitBytes, commit);
    recorder.take(scene);
    scene.tick();
  }
  scene.death({7, 0});
  for (int i = 0; i < 2 * 60 * 20; ++i, scene.tick()) recorder.take(scene);
  const auto buckets = recorder.history.process({7, 0}, ProcessMetric::CommitBytes, start, scene.now.time, 1000);
  REQUIRE(buckets.size() == 1);
  CHECK(buckets[0].end - buckets[0].start == 4500ms);
  CHECK(buckets[0].min == 4096.0F);
  CHECK(buckets[0].mean == 8192.0F);
  CHECK(buckets[0].max == 12288.0F);
}
