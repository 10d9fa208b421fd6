// The collector's program before a scripted Windows, at the other end of a pipe.
#include <cstdlib>

#include "core/monitor/monitor.h"
#include "tests/app/collector/running_collector.h"
#include "tests/support/windows_story.h"

using namespace faultline;
using test::Collector;
using test::follow;
using test::WindowsStory;

namespace {

constexpr const char* kElevate =
    "Give the collector alone an administrator's rights: Measure zeroing too in the window, --elevate in the terminal.";

void choose(const std::string& script) {
#ifdef _WIN32
  REQUIRE(_putenv_s("FAULTLINE_SCRIPT", script.c_str()) == 0);
  SetEnvironmentVariableA("FAULTLINE_SCRIPT", script.c_str());
#else
  REQUIRE(setenv("FAULTLINE_SCRIPT", script.c_str(), 1) == 0);
#endif
}

struct Read {
  std::vector<Hello> hellos;
  std::vector<Snapshot> snapshots;
  Monitor monitor;

  explicit Read(const std::string& script, const std::string& count = "12") {
    choose(script);
    Collector collector({"sweep", "--interval", "20ms", "--count", count}, Collector::Input::Inherit,
                        {.program = FAULTLINE_SCRIPTED_COLLECTOR});
    follow(collector, [&](const StreamEvent& event) {
      if (const auto* hello = std::get_if<Hello>(&event)) {
        hellos.push_back(*hello);
        monitor.ingest(*hello);
      } else if (const auto* snapshot = std::get_if<const Snapshot*>(&event)) {
        snapshots.push_back(**snapshot);
        monitor.ingest(**snapshot);
      }
    });
    CHECK(collector.readErrors().empty());
    CHECK(collector.exitCode() == 0);
    REQUIRE_FALSE(hellos.empty());
  }
  [[nodiscard]] const Quality& quality(SystemMetric metric) const { return hellos.back().quality(metric); }
  [[nodiscard]] std::optional<std::uint64_t> value(std::size_t sweep, SystemMetric metric) const {
    return snapshots.at(sweep).system.get(metric);
  }
};

}  // namespace

TEST_CASE("An administrator's collector sends each number of a scripted Windows exactly") {
  const Read read("administrator");
  REQUIRE(read.snapshots.size() == 12);
  CHECK(read.hellos.front().machine.system == "Windows 11, scripted");
  CHECK(read.quality(SystemMetric::ZeroThreadCycles).grade == Grade::Exact);
  for (std::size_t i = 0; i < read.snapshots.size(); ++i) {
    const std::uint64_t n = i + 1;
    CHECK(read.value(i, SystemMetric::ZeroThreadCycles) == WindowsStory::cycles(n));
    CHECK(read.value(i, SystemMetric::ZeroThreadTime) == WindowsStory::kernelTime(n) * 100);
    CHECK(read.value(i, SystemMetric::ZeroThreadSwitches) == WindowsStory::switches(n));
    CHECK(read.value(i, SystemMetric::ZeroThreads) == 2);
    CHECK(read.value(i, SystemMetric::ZeroedListBytes) == WindowsStory::zeroedPages(n) * WindowsStory::kPage);
    CHECK(read.value(i, SystemMetric::FreeListBytes) == WindowsStory::freePages(n) * WindowsStory::kPage);
    CHECK(read.value(i, SystemMetric::DemandZeroFaults) == WindowsStory::demandZero(n));
    CHECK(read.value(i, SystemMetric::SystemProcessCycles) == WindowsStory::cycles(n) + 500 * n + 1);
  }
  // At the far end: the pages that were asked for while the list was (nearly) empty are a spike of it.
  REQUIRE_FALSE(read.monitor.spikes().empty());
  CHECK(read.monitor.spikes().front().of == SpikeOf::ZeroedList);
  CHECK(read.monitor.spikes().front().faults == 11 * 7'000);
}

TEST_CASE("An ordinary user's collector sends what Windows tells everybody, and names the rest") {
  const Read read("user");
  CHECK(read.quality(SystemMetric::ZeroThreadCycles).grade == Grade::Unavailable);
  CHECK(read.quality(SystemMetric::ZeroThreadCycles).enable == kElevate);
  CHECK(read.quality(SystemMetric::ZeroedListBytes).grade == Grade::Unavailable);
  CHECK(read.quality(SystemMetric::FreeBytes).how.starts_with("PDH, "));
  const ProcessMetric minor = ProcessMetric::MinorFaults;
  for (std::size_t i = 0; i < read.snapshots.size(); ++i) {
    const std::uint64_t n = i + 1;
    CHECK_FALSE(read.value(i, SystemMetric::ZeroThreadCycles).has_value());
    CHECK_FALSE(read.value(i, SystemMetric::ZeroedListBytes).has_value());
    CHECK(read.value(i, SystemMetric::ZeroThreadTime) == WindowsStory::kernelTime(n) * 100);
    CHECK(read.value(i, SystemMetric::SystemProcessCycles) == WindowsStory::cycles(n) + 500 * n + 1);
    CHECK(read.value(i, SystemMetric::FreeBytes).has_value());
    for (const ProcessSample& process : read.snapshots[i].processes)
      if (process.key.pid == 4096)
        CHECK(process.values.get(minor) ==
              100'000 - 40 + WindowsStory::gameFaults(n) - WindowsStory::gameHardFaults(n));
  }
}

TEST_CASE("A zeroing thread that starts later takes the cycles, and the stream says so with the same sweep") {
  const Read read("late", "6");
  REQUIRE(read.hellos.size() == 2);
  CHECK(read.hellos[0].quality(SystemMetric::ZeroThreadCycles).grade == Grade::Exact);
  CHECK(read.hellos[1].quality(SystemMetric::ZeroThreadCycles).grade == Grade::Unavailable);
  for (std::size_t i = 0; i < 6; ++i) CHECK(read.value(i, SystemMetric::ZeroThreadCycles).has_value() == (i < 2));
}

TEST_CASE("The collector prints which threads of a scripted Windows zeroed while it watched them") {
  choose("administrator");
  Collector collector({"threads", "--for", "10ms"}, Collector::Input::Inherit,
                      {.program = FAULTLINE_SCRIPTED_COLLECTOR});
  std::string said;
  for (auto bytes = collector.readOutput(); !bytes.empty(); bytes = collector.readOutput())
    said.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  INFO(said << collector.readErrors());
  CHECK(said.starts_with("ready"));
  CHECK(said.find("had 100 % of these cycles.") != std::string::npos);
  CHECK(collector.exitCode() == 0);
}
