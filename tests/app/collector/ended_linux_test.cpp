// Many processes that are born and end between two sweeps of the running collector.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "core/model/unnamed_ended.h"
#include "tests/app/collector/running_collector.h"
#include "tests/support/ends_turn.h"
#include "tests/support/parent.h"

using namespace faultline;
using test::Collector;
using test::follow;

namespace {

// More processes than the kernel's ring holds.
constexpr int kChildren = 6000;

}  // namespace

TEST_CASE("Thousands of processes that end between two sweeps have exact sums, and most have names", "[slow]") {
  const test::EndsTurn turn;
  test::Parent parent;
  Collector collector({"sweep", "--interval", "60s"});
  std::uint64_t told = 0;
  int names = 0;
  bool first = true;
  std::string why;
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) why = hello->quality(SystemMetric::LostExits).enable;
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    if (std::exchange(first, false)) {
      if (why.empty()) parent.have(kChildren);
      collector.stop();
      return;
    }
    for (const ProcessSample& process : (*snapshot)->exited) {
      if (process.values.get(ProcessMetric::ParentPid) != parent.pid()) continue;
      told += process.values.get(ProcessMetric::MinorFaults).value_or(0);
      if (process.name != kUnnamedEnded) ++names;
    }
  });
  if (!why.empty()) SKIP("ends of processes are not reported here: " + why);
  CHECK(told == parent.faults());
  CHECK(names > kChildren / 2 + 500);  // the ring alone holds about 3000
}
