#include "platform/sampling/records/clear_page_totals.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>

using namespace faultline;

namespace {

constexpr Nanoseconds kPeriod{4'000'000};

Snapshot machine(const std::vector<ProcessKey>& living, const std::vector<ProcessKey>& exited = {}) {
  Snapshot snapshot;
  for (const ProcessKey& key : living) snapshot.processes.push_back({key, "p", {}});
  for (const ProcessKey& key : exited) snapshot.exited.push_back({key, "p", {}});
  return snapshot;
}

// In periods, of the living and then of those that ended.
std::vector<std::uint64_t> add(ClearPageTotals& totals, Snapshot snapshot) {
  totals.addTo(snapshot, kPeriod);
  std::vector<std::uint64_t> times;
  for (const auto* processes : {&snapshot.processes, &snapshot.exited}) {
    for (const ProcessSample& process : *processes)
      times.push_back(process.values.get(ProcessMetric::SampledZeroingTime).value_or(UINT64_MAX) / 4'000'000);
  }
  return times;
}

void hit(ClearPageTotals& totals, std::uint32_t pid, int times) {
  for (; times > 0; --times) totals.hit(pid);
}

using Times = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("sampled zeroing adds up per process, and is 0 without samples") {
  ClearPageTotals totals;
  hit(totals, 7, 3);
  hit(totals, 2, 1);
  CHECK(add(totals, machine({{1, 10}, {2, 10}, {7, 10}})) == Times{0, 1, 3});
  CHECK(add(totals, machine({{1, 10}, {2, 10}, {7, 10}})) == Times{0, 1, 3});
  hit(totals, 7, 2);
  CHECK(add(totals, machine({{1, 10}, {2, 10}, {7, 10}})) == Times{0, 1, 5});
}

TEST_CASE("sampled zeroing does not pass to the next process of the same pid") {
  ClearPageTotals totals;
  hit(totals, 7, 3);
  CHECK(add(totals, machine({{7, 10}})) == Times{3});
  CHECK(add(totals, machine({{7, 20}})) == Times{0});
  CHECK(add(totals, machine({{7, 10}})) == Times{0});
}

TEST_CASE("an ended process has its sampled zeroing, its last hits included") {
  ClearPageTotals totals;
  hit(totals, 7, 3);
  CHECK(add(totals, machine({{5, 10}, {7, 10}})) == Times{0, 3});
  hit(totals, 7, 1);
  hit(totals, 8, 2);  // born and ended since
  CHECK(add(totals, machine({{5, 10}}, {{7, 10}, {8, 15}})) == Times{0, 4, 2});
}

TEST_CASE("of two processes with one pid the later one is charged, and never both") {
  ClearPageTotals totals;
  hit(totals, 7, 3);
  CHECK(add(totals, machine({{7, 20}}, {{7, 10}})) == Times{3, 0});
  hit(totals, 7, 1);
  CHECK(add(totals, machine({}, {{7, 20}, {7, 30}})) == Times{3, 1});
}

TEST_CASE("hits of a process in no snapshot are forgotten after the next snapshot") {
  ClearPageTotals totals;
  hit(totals, 9, 3);
  CHECK(add(totals, machine({{5, 10}})) == Times{0});
  CHECK(add(totals, machine({{5, 10}, {9, 20}})) == Times{0, 0});
}
