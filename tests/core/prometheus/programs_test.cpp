#include "core/prometheus/programs.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

using namespace std::chrono_literals;

ProcessRow row(std::uint32_t pid, const std::string& name, std::uint64_t faults, std::uint64_t resident = 4096) {
  ProcessRow result;
  result.key = {pid, pid};
  result.name = name;
  result.values.set(ProcessMetric::ResidentBytes, resident);
  result.values.set(ProcessMetric::MinorFaults, faults + 1000);
  result.deltas.set(ProcessMetric::MinorFaults, faults);
  return result;
}

Moment momentOf(std::vector<ProcessRow> rows) {
  Moment moment;
  moment.wallTime = {5s};
  moment.rows = std::move(rows);
  return moment;
}

std::uint64_t faultsOf(const ProgramTotal& total) {
  return total.counted.get(ProcessMetric::MinorFaults).value_or(0);
}

std::uint64_t allFaults(const ProgramTotals& totals) {
  std::uint64_t all = faultsOf(totals.others());
  for (const auto& [name, total] : totals.programs()) all += faultsOf(total);
  return all;
}

}  // namespace

TEST_CASE("Processes of one name share a sum, and an ended one stays in it") {
  ProgramTotals totals;
  totals.add(momentOf({row(1, "cc1plus", 10), row(2, "cc1plus", 20), row(3, "idle", 0)}));
  ProcessRow ended = row(2, "cc1plus", 5);
  ended.exited = true;
  totals.add(momentOf({row(1, "cc1plus", 10), ended, row(3, "idle", 0)}));
  REQUIRE(totals.programs().size() == 1);  // one that never faults needs no series
  const ProgramTotal& compiler = totals.programs().at("cc1plus");
  CHECK(faultsOf(compiler) == 15);  // its first 30 were counted among the others, before it had a sum of its own
  CHECK(compiler.processes == 1);
  CHECK(compiler.levels.get(ProcessMetric::ResidentBytes) == 4096U);
  CHECK_FALSE(compiler.levels.has(ProcessMetric::MinorFaults));
  CHECK(totals.others().processes == 1);
  CHECK(allFaults(totals) == 45);
  CHECK(totals.moments() == 2);
  CHECK(totals.since() == WallTime{5s});
}

TEST_CASE("The programs that cost most have sums of their own, no sum of the others falls, and all add up") {
  ProgramTotals totals(3);
  std::uint64_t all = 0;
  std::uint64_t others = 0;
  for (std::uint64_t step = 0; step < 200; ++step) {
    std::vector<ProcessRow> rows;
    for (std::uint32_t pid = 1; pid <= 10; ++pid) {
      const std::uint64_t faults = pid * (step < 100 ? 11 - pid : pid);
      rows.push_back(row(pid, "p" + std::to_string(pid), faults));
      all += faults;
    }
    totals.add(momentOf(std::move(rows)));
    CHECK(totals.programs().size() == 3);
    CHECK(allFaults(totals) == all);
    CHECK(faultsOf(totals.others()) >= others);
    others = faultsOf(totals.others());
  }
  CHECK(totals.programs().contains("p10"));  // it cost little at first
}

TEST_CASE("Ten thousand names of programs take bounded memory, and their faults are counted") {
  ProgramTotals totals(50);
  for (std::uint32_t i = 0; i < 10'000; ++i) totals.add(momentOf({row(i + 1, "job" + std::to_string(i), 7)}));
  CHECK(totals.programs().size() == 50);
  CHECK(allFaults(totals) == 70'000);
}

TEST_CASE("A spike is counted for its program, or among the others") {
  ProgramTotals totals(1);
  totals.add(momentOf({row(1, "game", 10)}));
  totals.addSpike("game");
  totals.addSpike("unknown");
  CHECK(totals.programs().at("game").spikes == 1);
  CHECK(totals.others().spikes == 1);
}

}  // namespace faultline
