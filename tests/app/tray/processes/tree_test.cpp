#include "app/tray/processes/tree.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "app/tray/processes/model.h"
#include "tests/app/tray/staged_monitor.h"

using namespace faultline;

TEST_CASE("Below the first process of each service stand its others, and its numbers are of the whole service") {
  StagedMonitor stage;
  const auto process = [&](std::uint32_t pid, const std::string& service, std::uint64_t faults) {
    stage.process(pid).service = service;
    stage.add(pid, ProcessMetric::MinorFaults, faults);
  };
  process(10, "none", 1);
  process(40, "web.service", 100);
  process(41, "web.service", 20);
  process(42, "web.service", 3);
  process(43, "", 7);  // unknown: alone
  process(44, "", 8);
  stage.tick();
  const Pins pins;
  ProcessModel model{stage.monitor, pins};
  model.setTree(ProcessModel::Tree::Services);
  const auto entry = [&](std::uint32_t pid) {
    model.refresh();
    return *model.find({pid, 1000 + pid});
  };
  const auto total = [&](std::uint32_t pid) { return entry(pid).values[at(Column::MinorTotal)].value_or(-1); };
  CHECK(total(40) == 123);
  CHECK(total(41) == 20);
  CHECK(entry(40).leads);
  CHECK(entry(42).above == ProcessKey{40, 1040});
  CHECK(cellText(entry(40), Column::Process, {stage.hello}).endsWith(QStringLiteral("web.service · proc")));
  CHECK(cellText(entry(41), Column::Process, {stage.hello}).endsWith(QStringLiteral("└ proc")));
  CHECK(total(10) == 1);
  CHECK_FALSE(entry(44).above);
  process(41, "web.service", 5);
  stage.tick();
  stage.exit(41);
  stage.tick();
  CHECK(total(40) == 128);
  process(45, "web.service", 50);
  stage.tick();
  stage.exit(45);
  stage.tick();
  CHECK(total(40) == 178);
  stage.exit(40);  // the next process leads
  stage.tick();
  CHECK(entry(42).leads);
  CHECK(total(42) == 178);
}

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
  model.setTree(ProcessModel::Tree::Families);
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
