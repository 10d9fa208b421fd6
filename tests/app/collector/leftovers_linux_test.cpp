// All that the collector loads into the kernel is removed at its end in any case.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "tests/app/collector/running_collector.h"
#include "tests/support/loaded_bpf.h"

using namespace std::chrono_literals;
using faultline::test::BpfId;
using faultline::test::Collector;
using faultline::test::exists;
using faultline::test::loadedBy;

TEST_CASE("A hundred collectors that are started, stopped and killed leave no BPF program, map or link behind",
          "[slow]") {
  if (geteuid() != 0) SKIP("only root may look for BPF programs");
  std::vector<BpfId> ids;
  for (int cycle = 0; cycle < 100; ++cycle) {
    Collector collector({"sweep", "--interval", "20ms"});
    REQUIRE_FALSE(collector.readOutput().empty());
    for (const BpfId& id : loadedBy(collector.pid())) ids.push_back(id);
    if (ids.empty()) SKIP("the collector cannot load BPF programs here");
    if (cycle == 0) CHECK(std::ranges::all_of(ids, exists));
    if (cycle % 3 == 0) collector.signal(SIGKILL);
    if (cycle % 3 == 1) collector.signal(SIGTERM);
    // else its reader leaves
  }
  CHECK(ids.size() >= 300);
  // The kernel removes them some time after their last owner has ended.
  for (int patience = 0; patience < 600 && std::ranges::any_of(ids, exists); ++patience)
    std::this_thread::sleep_for(100ms);
  CHECK(std::ranges::count_if(ids, exists) == 0);
}
