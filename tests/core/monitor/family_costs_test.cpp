#include "core/monitor/family_costs.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

// A scene whose moments are passed to FamilyCosts.
struct Family {
  ProcessKey start(std::uint32_t pid, std::uint64_t parent) {
    ProcessSample& sample = scene.birth(pid);
    sample.values.set(ProcessMetric::ParentPid, parent);
    return sample.key;
  }
  void exit(const ProcessKey& key) {
    scene.now.exited.push_back(scene.process(key.pid, key.startTime));
    std::ranges::sort(scene.now.exited, {}, &ProcessSample::key);
    scene.death(key);
  }
  void tick() {
    derive(hello, has ? &previous : nullptr, scene.now, moment);
    costs.add(moment);
    previous = scene.now;
    has = true;
    scene.now.exited.clear();
    scene.tick();
  }
  std::uint64_t family(const ProcessKey& key) const {
    return costs.of(key).value().family.get(ProcessMetric::MinorFaults).value_or(0);
  }

  Hello hello = helloOf(500ms);
  Scene scene;
  Snapshot previous;
  bool has = false;
  Moment moment;
  FamilyCosts costs;
};

}  // namespace

TEST_CASE("the cost of a process is charged to all its ancestors, also after its end") {
  Family w;
  const ProcessKey shell = w.start(10, 1);
  const ProcessKey build = w.start(20, 10);
  w.scene.fault(20, 1000);  // before monitoring began
  w.tick();
  const ProcessKey compiler = w.start(30, 20);
  w.scene.fault(30, 500);
  w.scene.fault(20, 7);
  w.tick();
  w.scene.fault(30, 40);
  w.exit(compiler);
  w.tick();
  w.tick();
  CHECK(w.family(build) == 547);
  CHECK(w.family(shell) == 547);
  CHECK(w.costs.of(build)->own.get(ProcessMetric::MinorFaults) == 7);
  CHECK(w.costs.of(build)->started == 1);
  CHECK(w.costs.of(build)->ended == 1);
  CHECK(w.costs.of(shell)->started == 2);
  CHECK(w.family(compiler) == 540);
}

TEST_CASE("a process that lived between two sweeps belongs to a parent that did the same") {
  Family w;
  const ProcessKey build = w.start(20, 1);
  w.tick();
  const ProcessKey child = w.start(99, 20);
  const ProcessKey grandchild = w.start(50, 99);  // a smaller pid: pids wrap
  w.scene.fault(50, 300);
  w.exit(grandchild);
  w.exit(child);
  w.tick();
  CHECK(w.family(build) == 300);
  CHECK(w.family(child) == 300);
  CHECK(w.costs.of(build)->started == 2);
  CHECK(w.costs.of(build)->ended == 2);
}

TEST_CASE("an orphan still belongs to its original ancestors") {
  Family w;
  const ProcessKey build = w.start(20, 1);
  const ProcessKey script = w.start(30, 20);
  const ProcessKey server = w.start(40, 30);
  w.tick();
  w.exit(script);
  w.scene.process(server.pid, server.startTime).values.set(ProcessMetric::ParentPid, 1);
  w.tick();
  for (int i = 0; i < 2 * 60 * 11; ++i) w.tick();  // longer than ended processes are kept
  w.scene.fault(40, 25);
  w.tick();
  CHECK(w.family(build) == 25);
  CHECK(w.costs.of(script).has_value());  // links the two
  w.exit(server);
  w.tick();
  for (int i = 0; i < 2 * 60 * 11; ++i) w.tick();
  CHECK_FALSE(w.costs.of(server).has_value());
  CHECK_FALSE(w.costs.of(script).has_value());
  CHECK(w.family(build) == 25);
}

TEST_CASE("a reused pid is another parent; a process that reappears is the same one") {
  Family w;
  const ProcessKey first = w.start(20, 1);
  w.tick();
  w.scene.death(first);
  w.tick();
  const ProcessKey second = w.start(20, 1);
  static_cast<void>(w.start(30, 20));
  w.scene.fault(30, 5);
  w.tick();
  CHECK(w.family(first) == 0);
  CHECK(w.family(second) == 5);
  const ProcessKey build = w.start(50, 1);
  ProcessSample away = w.scene.process(w.start(60, 50).pid, w.start(60, 50).startTime);
  w.tick();
  w.scene.death(away.key);
  w.tick();
  CHECK(w.costs.of(build)->ended == 1);
  w.scene.process(away.key.pid, away.key.startTime) = away;
  w.tick();
  CHECK(w.costs.of(build)->started == 1);
  CHECK(w.costs.of(build)->ended == 0);
}

TEST_CASE("circular and endless families are harmless") {
  Family w;
  static_cast<void>(w.start(20, 30));
  static_cast<void>(w.start(30, 20));
  for (std::uint32_t pid = 1000; pid < 3000; ++pid) static_cast<void>(w.start(pid, pid + 1));
  w.tick();
  w.scene.fault(20, 3);
  w.scene.fault(30, 4);
  w.scene.fault(1000, 8);
  w.tick();
  const std::uint64_t both = w.family(w.scene.process(20, 0).key.pid == 20 ? w.moment.rows[0].key : ProcessKey{}) +
                             w.family(w.moment.rows[1].key);
  CHECK((both == 3 + 7 || both == 7 + 4));  // either is the other's child
  CHECK(w.family(w.moment.rows[2].key) == 8);
}

TEST_CASE("the last 8192 of many ended processes are kept") {
  Family w;
  const ProcessKey first = w.start(10, 1);
  const ProcessKey second = w.start(11, 1);
  w.tick();
  w.scene.death(first);
  w.tick();
  w.scene.death(second);
  w.tick();
  for (std::uint32_t pid = 1000; pid < 1000 + 8191; ++pid) w.start(pid, 1);
  w.tick();
  w.scene.now.processes.clear();
  w.tick();
  CHECK_FALSE(w.costs.of(first));
  CHECK(w.costs.of(second));
}

namespace {

void childFaults(ProcessSample& parent, std::uint64_t minor, std::uint64_t major = 0) {
  const auto more = [&](ProcessMetric metric, std::uint64_t by) {
    parent.values.set(metric, parent.values.get(metric).value_or(0) + by);
  };
  more(ProcessMetric::ChildMinorFaults, minor);
  more(ProcessMetric::ChildMajorFaults, major);
}

}  // namespace

TEST_CASE("a daemon that goes on as its own child does not keep all its ancestors, and its family's sums stay right") {
  Family w;
  const ProcessKey init = w.start(1, 0);
  std::vector<ProcessKey> daemons{w.start(2, 1)};
  for (std::uint32_t pid = 3; pid < 9'500; ++pid) {
    w.tick();
    daemons.push_back(w.start(pid, pid - 1));
    w.tick();
    w.scene.death(daemons[daemons.size() - 2]);
  }
  w.tick();
  CHECK_FALSE(w.costs.of(daemons.front()));
  CHECK_FALSE(w.costs.of(daemons[1000]));
  CHECK(w.costs.of(daemons[3000]));
  CHECK(w.costs.parent(daemons.back()) == daemons[daemons.size() - 2]);
  CHECK(w.costs.of(init)->started == 100);  // sums go no further up than a hundred ancestors
  const ProcessKey child = w.start(9'600, daemons.back().pid);
  w.tick();
  w.scene.fault(9'600, 40);
  w.tick();
  CHECK(w.family(daemons[daemons.size() - 50]) == 40);
  CHECK(w.family(child) == 40);
}

TEST_CASE("the cost of a family includes faults of waited-for children between samples, each once") {
  Family w;
  const ProcessKey shell = w.start(10, 1);
  childFaults(w.scene.process(10, shell.startTime), 5000);  // before monitoring began
  w.tick();
  const ProcessKey build = w.start(20, 10);
  childFaults(w.scene.process(20, build.startTime), 1000, 3);  // a compiler between two sweeps
  w.scene.fault(20, 7);
  const ProcessKey compiler = w.start(30, 20);
  w.scene.fault(30, 500);
  childFaults(w.scene.process(30, compiler.startTime), 40);
  w.tick();
  w.scene.death(compiler);  // had 60 more faults before it ended, and was waited for
  childFaults(w.scene.process(20, build.startTime), 500 + 40 + 60);
  w.tick();
  const FamilyCost cost = w.costs.of(build).value();
  CHECK(cost.family.get(ProcessMetric::MinorFaults) == 1000 + 7 + 500 + 40 + 60);
  CHECK(cost.family.get(ProcessMetric::MajorFaults) == 3);
  CHECK(cost.unseen == 1000 + 3 + 40 + 60);
  CHECK(w.family(shell) == w.family(build));

  w.scene.death(build);
  childFaults(w.scene.process(10, shell.startTime), 7 + 1600, 3);
  w.tick();
  CHECK(w.family(shell) == 1000 + 7 + 500 + 40 + 60);
}

TEST_CASE("a parent and child that end between the same sweeps are charged to the remaining ancestor, once") {
  Family w;
  const ProcessKey shell = w.start(10, 1);
  childFaults(w.scene.process(10, shell.startTime), 0);
  w.tick();
  const ProcessKey driver = w.start(20, 10);
  w.scene.fault(20, 10);
  const ProcessKey compiler = w.start(30, 20);
  w.scene.fault(30, 500);
  w.tick();
  w.scene.death(driver);
  w.scene.death(compiler);
  childFaults(w.scene.process(10, shell.startTime), 10 + 500 + 90);
  w.tick();
  CHECK(w.family(shell) == 600);
}

TEST_CASE("a child that ends before its parent is read is not counted twice") {
  Family w;
  const ProcessKey shell = w.start(10, 1);
  childFaults(w.scene.process(10, shell.startTime), 0);
  w.tick();
  const ProcessKey tool = w.start(20, 10);
  w.scene.fault(20, 300);
  w.tick();
  w.scene.death(tool);
  w.tick();
  CHECK(w.family(shell) == 300);
  childFaults(w.scene.process(10, shell.startTime), 310);
  w.tick();
  CHECK(w.family(shell) == 310);
}

TEST_CASE("system-wide faults that no process shows are unattributed") {
  Family w;
  w.start(10, 1);
  w.scene.now.system.set(SystemMetric::Faults, 1'000);
  w.tick();
  w.scene.fault(10, 40, 2);
  w.scene.now.system.set(SystemMetric::Faults, 1'100);
  w.tick();
  CHECK(w.moment.unattributed() == 58U);
}
