// Many processes that are born and end between two sweeps of the running collector.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "core/model/unnamed_ended.h"
#include "tests/app/collector/running_collector.h"
#include "tests/support/ends_turn.h"

using namespace faultline;
using test::Collector;
using test::follow;

namespace {

std::uint64_t childrensFaults() {
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  return static_cast<std::uint64_t>(children.ru_minflt);
}

// More processes than the kernel's ring holds.
constexpr int kChildren = 6000;

void haveChildren() {
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace

TEST_CASE("Thousands of processes that end between two sweeps have exact sums, and most have names", "[slow]") {
  const test::EndsTurn turn;
  Collector collector({"sweep", "--interval", "60s"});
  std::uint64_t faults = 0;
  std::uint64_t told = 0;
  int names = 0;
  bool first = true;
  std::string why;
  follow(collector, [&](const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) why = hello->quality(SystemMetric::LostExits).enable;
    const auto* snapshot = std::get_if<const Snapshot*>(&event);
    if (snapshot == nullptr) return;
    if (std::exchange(first, false)) {
      const std::uint64_t before = childrensFaults();
      if (why.empty()) haveChildren();
      faults = childrensFaults() - before;
      collector.stop();
      return;
    }
    for (const ProcessSample& process : (*snapshot)->exited) {
      if (process.values.get(ProcessMetric::ParentPid) != static_cast<std::uint64_t>(getpid())) continue;
      told += process.values.get(ProcessMetric::MinorFaults).value_or(0);
      if (process.name != kUnnamedEnded) ++names;
    }
  });
  if (!why.empty()) SKIP("ends of processes are not reported here: " + why);
  CHECK(told == faults);
  CHECK(names > kChildren / 2 + 500);  // the ring alone holds about 3000
}
