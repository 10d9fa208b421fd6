// A sweep of this Windows, or Wine, while the test changes the numbers.
#include <windows.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <optional>

#include "platform/sampling/system_sampler.h"
#include "tests/app/collector/running_collector.h"

using namespace faultline;
using test::Collector;
using test::follow;

namespace {

constexpr std::size_t kTouched = 64 << 20;  // bytes

void touchMemory() {
  void* const memory = VirtualAlloc(nullptr, kTouched, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  REQUIRE(memory != nullptr);
  std::memset(memory, 1, kTouched);
}

std::optional<std::uint64_t> mine(const Snapshot& snapshot, ProcessMetric metric) {
  const auto found =
      std::ranges::find_if(snapshot.processes, [](const ProcessSample& one) { return one.key.pid == ownPid(); });
  return found == snapshot.processes.end() ? std::nullopt : found->values.get(metric);
}

}  // namespace

TEST_CASE("A sweep sees this process grow by the memory that it touches") {
  Collector collector({"sweep", "--interval", "50ms", "--count", "8"});
  Snapshot before;
  Snapshot after;
  int count = 0;
  follow(collector, [&](const StreamEvent& event) {
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    if (count++ == 0) {
      before = **snapshot;
      touchMemory();
    }
    after = **snapshot;
  });
  CHECK(count == 8);
  for (const ProcessMetric metric : {ProcessMetric::CommitBytes, ProcessMetric::ResidentBytes}) {
    const auto old = mine(before, metric);
    const auto now = mine(after, metric);
    REQUIRE(old);
    REQUIRE(now);
    CHECK(*now - *old >= kTouched);
    CHECK(*now - *old < kTouched * 5 / 4);
  }
  CHECK(collector.exitCode() == 0);
  CHECK(collector.readErrors().empty());
}

TEST_CASE("Numbers that Wine does not count are unavailable with that reason; Windows counts them") {
  Collector collector({"sweep", "--interval", "10ms", "--count", "1"});
  std::optional<Hello> hello;
  Snapshot snapshot;
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* first = std::get_if<Hello>(&event)) hello = *first;
    if (const auto* one = std::get_if<const Snapshot*>(&event)) snapshot = **one;
  });
  REQUIRE(hello);
  CHECK(hello->clock == "QueryPerformanceCounter");
  CHECK(hello->machine.processors > 0);
  CHECK(hello->machine.memoryBytes > 1 << 20);
  CHECK(hello->machine.pageBytes == 4096);
  CHECK_FALSE(hello->machine.processor.empty());
  const bool wine = hello->machine.system.starts_with("Wine ");
  const Quality& faults = hello->quality(ProcessMetric::MinorFaults);
  CHECK(faults.grade == (wine ? Grade::Unavailable : Grade::Exact));
  CHECK((faults.how.find("Wine") != std::string::npos) == wine);
  CHECK(mine(snapshot, ProcessMetric::MinorFaults).has_value() != wine);
  CHECK(hello->quality(ProcessMetric::CommitBytes).grade == Grade::Exact);
}

TEST_CASE("Watching a game that marks no frames is refused, and so is an assumed rate, with an alternative") {
  for (const bool assumed : {false, true}) {
    const std::string pid = std::to_string(ownPid());
    Collector collector(assumed ? std::vector<std::string>{"watch", pid, "--assume", "60"}
                                : std::vector<std::string>{"watch", pid});
    CHECK(collector.readOutput().empty());
    const std::string said = collector.readErrors();
    CHECK(said.find(assumed ? "PresentMon" : "marks no frames: it does not call faultline_frame()") !=
          std::string::npos);
    CHECK(std::ranges::count(said, '\n') == 1);
    CHECK(collector.exitCode() == 1);
  }
}
