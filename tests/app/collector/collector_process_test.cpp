// The real program at the other end of a real pipe.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "core/monitor/monitor.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/synthetic/truth.h"
#include "platform/sampling/system_sampler.h"
#include "tests/app/collector/running_collector.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::Collector;
using test::follow;

TEST_CASE("Synthetic numbers arrive exactly: collector, pipe, Monitor") {
  Collector collector({"sweep", "--synthetic", "90,3", "--fast", "--count", "300", "--interval", "250ms"});
  SyntheticOptions options{.processes = 90, .seed = 3, .interval = 250ms};
  Monitor monitor;
  Snapshot expected;
  Snapshot before;
  std::uint64_t ticks = 0;
  std::uint64_t compared = 0;
  bool ended = false;
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) monitor.ingest(*hello);
    if (std::holds_alternative<StreamEnd>(event)) ended = true;
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    if (ticks == 0) options.wallStart = (*snapshot)->wallTime;
    std::swap(before, expected);
    syntheticSnapshot(options, ticks++, expected);
    REQUIRE(**snapshot == expected);
    monitor.ingest(**snapshot);
    for (const ProcessRow& row : monitor.now().rows) {
      const auto old = std::find_if(before.processes.begin(), before.processes.end(),
                                    [&](const ProcessSample& process) { return process.key == row.key; });
      if (ticks < 2 || old == before.processes.end()) continue;
      const auto delta = [&](ProcessMetric metric) { return *row.values.get(metric) - *old->values.get(metric); };
      REQUIRE(row.deltas.get(ProcessMetric::MinorFaults) == delta(ProcessMetric::MinorFaults));
      REQUIRE(row.deltas.get(ProcessMetric::MajorFaults) == delta(ProcessMetric::MajorFaults));
      ++compared;
    }
  });
  CHECK(ticks == 300);
  CHECK(compared > 20'000);
  CHECK(ended);
  CHECK(monitor.hello().source == "synthetic");
  CHECK(collector.exitCode() == 0);
  CHECK(collector.readErrors().empty());
}

TEST_CASE("A live sweep sees this process, and its Hello describes the collector") {
  Collector collector({"sweep", "--interval", "20ms", "--count", "3"});
  Hello hello;
  std::vector<Snapshot> snapshots;
  const auto pid = static_cast<std::uint32_t>(collector.pid());
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* first = std::get_if<Hello>(&event)) hello = *first;
    if (const auto* snapshot = std::get_if<const Snapshot*>(&event)) snapshots.push_back(**snapshot);
  });
  CHECK(hello.version == FAULTLINE_VERSION);
  CHECK(hello.interval == 20ms);
  CHECK(hello.collectorPid == pid);
  REQUIRE(snapshots.size() == 3);
  const auto& processes = snapshots.back().processes;
  CHECK(std::any_of(processes.begin(), processes.end(), [](const ProcessSample& p) { return p.key.pid == ownPid(); }));
  CHECK(snapshots[0].time < snapshots[1].time);
  CHECK(snapshots[1].time < snapshots[2].time);
}

TEST_CASE("A collector that is asked to stop ends its stream with the last packet") {
  Collector collector({"sweep", "--interval", "30s"});
  int snapshots = 0;
  bool ended = false;
  follow(collector, [&](const StreamEvent& event) {
    if (std::holds_alternative<const Snapshot*>(event) && ++snapshots == 1)
      collector.stop();  // the last snapshot follows
    if (std::holds_alternative<StreamEnd>(event)) ended = true;
  });
  CHECK(ended);
  CHECK(collector.exitCode() == 0);
}

TEST_CASE("The collector ends at once and silently when its reader leaves, even in a long sleep") {
  Collector collector({"sweep", "--interval", "60s"});
  CHECK_FALSE(collector.readOutput().empty());
  const MonotonicTime before = systemClock().now();
  collector.stopReading();
  CHECK(collector.exitCode() == 0);
  CHECK(systemClock().now() - before < 59s);  // without sleeping to the end
  CHECK(collector.readErrors().empty());
}

TEST_CASE("A wrong argument gives exit code 2 and a message on stderr, and nothing on stdout") {
  Collector collector({"sweep", "--interval", "5ms"});
  CHECK(collector.readOutput().empty());
  CHECK(collector.exitCode() == 2);
  CHECK(collector.readErrors().find("between 10ms and 60s") != std::string::npos);
}

TEST_CASE("While no user is looking, measurements that slow down programs are absent") {
  Collector collector({"sweep", "--synthetic", "--attended", "--interval", "10ms"}, Collector::Input::Pipe);
  std::vector<char> seen;  // the attention in effect, by the contents of the snapshots
  follow(collector, [&](const StreamEvent& event) {
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    const ProcessValues& values = (*snapshot)->processes.at(0).values;
    CHECK(values.has(ProcessMetric::ZeroedBytes));
    CHECK(values.has(ProcessMetric::FaultTime) == values.has(ProcessMetric::SampledZeroingTime));
    const char wish = values.has(ProcessMetric::FaultTime) ? '+' : '-';
    if (!seen.empty() && seen.back() == wish) return;
    seen.push_back(wish);
    if (seen.size() == 1) collector.tell("-");
    if (seen.size() == 2) collector.tell("+");
    if (seen.size() == 3) collector.tell("-");
    if (seen.size() == 4) collector.endInput();
    if (seen.size() == 5) collector.stop();
  });
  CHECK(std::string(seen.begin(), seen.end()) == "+-+-+");
  CHECK(collector.exitCode() == 0);
}
