#include "core/query/sums.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/model/metric.h"

using namespace faultline;

namespace {

constexpr auto kMinorFaults = ProcessMetric::MinorFaults;
constexpr auto kResident = ProcessMetric::ResidentBytes;

ProcessRow row(std::uint32_t pid, std::string name, std::optional<std::uint64_t> faults, std::uint64_t resident = 0) {
  ProcessRow row;
  row.key = {pid, 7};
  row.name = std::move(name);
  row.deltas.set(kMinorFaults, faults);
  row.values.set(kResident, resident);
  row.values.set(ProcessMetric::ParentPid, 1);
  return row;
}

Moment moment(std::vector<ProcessRow> rows) {
  Moment moment;
  moment.rows = std::move(rows);
  return moment;
}

}  // namespace

TEST_CASE("Sums of processes rank the largest first, and unknown ones last") {
  ProcessSums sums(SumBy::Process, kMinorFaults);
  sums.add(moment({row(1, "a", std::nullopt), row(2, "b", 5), row(3, "c", 0)}));
  sums.add(moment({row(1, "a", std::nullopt), row(2, "b", 6), row(3, "c", 20)}));
  const auto top = sums.top(10);
  REQUIRE(top.size() == 3);
  CHECK(top[0]->name == "c");
  CHECK(top[1]->counted.get(kMinorFaults) == 11);
  CHECK(top[2]->name == "a");
  CHECK_FALSE(top[2]->counted.get(kMinorFaults));  // not 0
  CHECK(sums.rest({top[0]}).get(kMinorFaults) == 11);
}

TEST_CASE("A program has the sum over its processes, ended ones too, and its levels at one time") {
  ProcessSums sums(SumBy::Program, kMinorFaults);
  sums.add(moment({row(1, "cc1", 5, 100), row(2, "cc1", 6, 50), row(3, "ld", 1, 9)}));
  auto ended = row(1, "cc1", 7, 100);
  ended.exited = true;
  auto born = row(4, "cc1", 8, 20);
  born.born = true;
  sums.add(moment({ended, row(2, "cc1", 1, 60), born}));
  const auto top = sums.top(10);
  REQUIRE(top.size() == 2);
  const ProcessSum& cc1 = *top[0];
  CHECK(cc1.counted.get(kMinorFaults) == 27);
  CHECK(cc1.levels.get(kResident) == 80);
  CHECK(cc1.peaks.get(kResident) == 150);
  CHECK_FALSE(cc1.levels.get(ProcessMetric::ParentPid));
  CHECK(cc1.running == 2);
  CHECK(cc1.most == 2);
  CHECK(cc1.started == 1);
  const ProcessSum& ld = *top[1];  // it vanished without a last row
  CHECK(ld.running == 0);
  CHECK_FALSE(ld.levels.get(kResident));
  CHECK(ld.peaks.get(kResident) == 9);
}

TEST_CASE("A service has the sum over its processes, and those of unknown services one of their own") {
  ProcessSums sums(SumBy::Service, kMinorFaults);
  std::vector rows{row(1, "nginx", 5), row(2, "php", 6), row(3, "kthreadd", 0), row(4, "cc1", 2)};
  rows[0].service = rows[1].service = "web.service";
  rows[2].service = "none";
  sums.add(moment(rows));
  const auto top = sums.top(10);
  REQUIRE(top.size() == 3);
  CHECK(top[0]->name == "web.service");
  CHECK(top[0]->counted.get(kMinorFaults) == 11);
  CHECK(top[1]->name == "unknown");
  CHECK(top[2]->name == "none");
}

TEST_CASE("A gauge ranks by its peak") {
  ProcessSums sums(SumBy::Process, kResident);
  sums.add(moment({row(1, "a", 1, 100), row(2, "b", 1, 10)}));
  sums.add(moment({row(1, "a", 1, 5), row(2, "b", 1, 50)}));
  CHECK(sums.top(1).front()->name == "a");
  CHECK(sums.top(1).front()->levels.get(kResident) == 5);
}

TEST_CASE("Of many ended processes those with least share one sum, and all sums add up") {
  constexpr std::size_t kKept = 10;
  ProcessSums sums(SumBy::Process, kMinorFaults, kKept);
  std::uint64_t all = 0;
  for (std::uint32_t pid = 1; pid <= 1000; ++pid) {
    auto brief = row(pid, "brief", pid);
    brief.exited = true;
    sums.add(moment({brief, row(2000, "lasting", 0)}));
    all += pid;
  }
  CHECK(sums.count() == 1001);
  const auto top = sums.top(kKept);
  for (std::size_t i = 0; i < kKept; ++i) CHECK(top[i]->key.pid == 1000 - i);
  CHECK(sums.top(5000).size() <= 2 * kKept + 1);
  std::uint64_t shown = 0;
  for (const ProcessSum* const sum : top) shown += *sum->counted.get(kMinorFaults);
  CHECK(shown + *sums.rest(top).get(kMinorFaults) == all);
  const auto kept = sums.top(5000);  // the one that runs is never among the others
  CHECK(std::ranges::any_of(kept, [](const ProcessSum* sum) { return sum->name == "lasting"; }));
}

TEST_CASE("Metrics that can be ranked by are all but the parent") {
  CHECK(summedNames().size() == kProcessMetricCount - 1);
  CHECK(summedMetric("fault_ns") == ProcessMetric::FaultTime);
  CHECK_FALSE(summedMetric("parent_pid"));
  CHECK_FALSE(summedMetric(""));
}
