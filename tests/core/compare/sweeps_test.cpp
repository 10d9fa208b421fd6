#include "core/compare/sweeps.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/stat/some_stat.h"

using namespace faultline;

namespace {

SweepTotals totalsOf(std::uint64_t compiled) {
  SweepSum sum;
  sum.add(Hello());
  for (const std::uint64_t faults : {std::uint64_t{100}, 100 + compiled}) {
    Snapshot snapshot;
    snapshot.time = {Nanoseconds(static_cast<std::int64_t>(faults) * 1'000'000)};
    for (const std::uint32_t pid : {1U, 2U}) {
      ProcessSample& process = snapshot.processes.emplace_back();
      process.key = {.pid = pid, .startTime = 1};
      process.name = pid == 1 ? "init" : "cc1";
      process.values.set(ProcessMetric::MinorFaults, pid == 1 ? 100 : faults);
      process.values.set(ProcessMetric::MajorFaults, 0);
    }
    sum.add(snapshot);
  }
  return sum.totals();
}

}  // namespace

TEST_CASE("Two recordings are compared by the names of their processes") {
  const SweepTotals before = totalsOf(4000);
  const SweepTotals after = totalsOf(5000);
  CHECK(before.everyone.get(ProcessMetric::MinorFaults) == 4000);
  CHECK(before.duration == Nanoseconds(4'000'000'000));
  const std::string text = test::withBlanks(sweepsText(before, after));
  INFO(text);
  CHECK(
      text.starts_with("All processes, in 4.00 s and in 5.00 s:\n  Minor faults: 4 000 to 5 000, 1 000 more (25 %)\n"));
  CHECK(text.find("  cc1: 4 000 to 5 000, 1 000 more (25 %)\nNothing is judged: ") != std::string::npos);
  CHECK(text.find("init") == std::string::npos);
  const auto numbers = comparedNumbers(before, after);
  REQUIRE(numbers.size() == 3);
  CHECK(numbers.front() == ComparedNumber{.name = "Minor faults", .before = 4000, .after = 5000});
  CHECK(numbers.back().name == "Page faults of cc1");
  const auto json = nlohmann::json::parse(sweepsJson(before, after)).at("compare");
  CHECK(json.at("worse").is_null());
  CHECK(json.at("processes").at(0).at("after").at("minor_faults") == 5000);
}

TEST_CASE("A part of a history is summed up by the names of its processes, as a whole recording is") {
  History history;
  Moment moment;
  for (int second = 0; second <= 10; ++second) {
    moment.time = {Nanoseconds(second * 1'000'000'000LL)};
    moment.interval = Nanoseconds(second == 0 ? 0 : 1'000'000'000);
    moment.gap = second == 0 ? Gap::First : Gap::None;
    moment.rows.clear();
    moment.processTotal = {};
    for (const std::uint32_t pid : {1U, 2U, 3U}) {
      ProcessRow& row = moment.rows.emplace_back();
      row.key = {.pid = pid, .startTime = 1};
      row.name = pid == 1 ? "init" : "cc1";
      if (second > 0) row.deltas.set(ProcessMetric::MinorFaults, pid == 1 ? 0 : 50);
    }
    if (second > 0) moment.processTotal.set(ProcessMetric::MinorFaults, 100);
    history.add(moment);
  }
  const auto at = [](int second) { return MonotonicTime{Nanoseconds(second * 1'000'000'000LL)}; };
  const SweepTotals part = sweepTotals(history, at(3), at(6));
  CHECK(part.duration == Nanoseconds(4'000'000'000));
  CHECK(part.everyone.get(ProcessMetric::MinorFaults) == 400);
  CHECK(part.byName.at("cc1").get(ProcessMetric::MinorFaults) == 400);
  CHECK(part.byName.at("init").get(ProcessMetric::MinorFaults) == 0);
  CHECK_FALSE(part.everyone.get(ProcessMetric::FaultTime));
  CHECK(sweepTotals(history, at(3), at(6), "cc1").byName == std::map{*part.byName.find("cc1")});
  CHECK(sweepTotals(history, at(3), at(6), "").everyone == part.everyone);
  CHECK(sweepTotals(history, at(3), at(6), "").byName.empty());
  CHECK(sweepTotals(history, at(20), at(30)).everyone == ProcessDeltas());
  CHECK(test::withBlanks(sweepsText(part, sweepTotals(history, at(1), at(10))))
            .find("  cc1: 400 to 1 000, 600 more (150 %)\n") != std::string::npos);
}
