#include "app/tray/processes/tree.h"

#include <catch2/catch_test_macros.hpp>

#include "app/tray/processes/model.h"
#include "tests/app/tray/staged_monitor.h"

using namespace faultline;

TEST_CASE("A family's total is not below those of its members, which faulted before Faultline was started") {
  StagedMonitor stage;
  const auto child = [&](std::uint32_t pid, std::uint64_t parent, std::uint64_t faults) {
    stage.process(pid).values.set(ProcessMetric::ParentPid, parent);
    stage.add(pid, ProcessMetric::MinorFaults, faults);
  };
  stage.process(40, "shell");
  stage.add(40, ProcessMetric::MinorFaults, 10);
  child(41, 40, 3000);
  child(42, 41, 7000);
  stage.tick();
  const Pins pins;
  ProcessModel model{stage.monitor, pins};
  model.setTree(true);
  const auto total = [&](std::uint32_t pid) {
    model.refresh();
    return model.find({pid, 1000 + pid})->values[at(Column::MinorTotal)];
  };
  CHECK(total(42) == 7000);
  CHECK(total(41) == 10'000);
  CHECK(total(40) == 10'010);
  stage.add(42, ProcessMetric::MinorFaults, 5);
  child(43, 40, 400);  // begins now
  stage.tick();
  CHECK(total(42) == 7005);
  CHECK(total(41) == 10'005);
  CHECK(total(40) == 10'415);
  stage.exit(42);  // its row stays for a while
  stage.tick();
  stage.tick();
  CHECK(total(42) == 7005);
  CHECK(total(41) == 10'005);
  CHECK(total(40) == 10'415);
}
