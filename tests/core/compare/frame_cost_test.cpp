#include "core/compare/frame_cost.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "core/compare/frame_runs.h"

using namespace faultline;

namespace {

constexpr FrameCost kFaultCosts{};

// Of a game of two levels, which are the same in each run: a load at the start, where frames have ten times the faults,
// then about 200 faults a frame, which rise and fall with the level by a half. Each run has its own noise of 20 %, its
// own slow change of some percent, and a burst in one of 50 frames, of a size that varies by a factor of ten.
class CostlyGame {
 public:
  explicit CostlyGame(std::uint64_t seed) : m_random(seed) {}

  std::string csv(int frames, double more) {
    std::string text = "frame,duration_ns,minor_faults,major_faults,fault_ns,late_by_faults,zeroed_bytes\n";
    double slow = 0;
    for (int i = 1; i <= frames; ++i) {
      const int inLevel = i % 1800;
      slow = 0.95 * slow + 0.01 * normal();
      const double level = 0.5 * std::sin(inLevel / 100.0) + slow;
      double faults = 200 * std::exp(0.2 * normal() + level) * (inLevel < 60 ? 10 : 1);
      if (uniform() < 0.02) faults += 500 * std::exp(2.3 * uniform());
      const auto count = std::llround(more * faults);
      const double time = static_cast<double>(count) * 1000 * std::exp(0.3 * normal());
      text += std::to_string(i) + ",16700000," + std::to_string(count) + ",0," + std::to_string(std::llround(time)) +
              ",0," + std::to_string(count * 4096) + "\n";
    }
    return text;
  }

 private:
  double uniform() { return static_cast<double>(m_random() >> 11U) / 9007199254740992.0; }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

  std::mt19937_64 m_random;
};

RunComparison compared(std::uint64_t pair, double more, int frames = 3600) {
  const auto before = readFrameRun(CostlyGame(2 * pair).csv(frames, 1));
  const auto after = readFrameRun(CostlyGame(2 * pair + 1).csv(frames - frames / 180, more));
  REQUIRE(before);
  REQUIRE(after);
  return compareRuns(*before, *after);
}

}  // namespace

TEST_CASE("A tenth more page faults in each frame is found in 20 of 20 pairs of runs, and its interval holds") {
  int held = 0;
  int less = 0;
  for (std::uint64_t pair = 1; pair <= 20; ++pair) {
    INFO("pair " << pair);
    const RunComparison worse = compared(pair, 1.1);
    CHECK(worse.worse);
    CHECK(worse.late == CostVerdict::NoDifference);
    REQUIRE(worse.costs.size() == 5);
    const CostChange& usual = worse.costs[1];
    CHECK(usual.verdict() == CostVerdict::Worse);
    held += usual.low <= 0.1 * usual.before && 0.1 * usual.before <= usual.high ? 1 : 0;
    const RunComparison better = compared(pair, 1 / 1.1);
    CHECK_FALSE(better.worse);
    less += better.costs[1].verdict() == CostVerdict::Better ? 1 : 0;
  }
  CHECK(held == 20);
  CHECK(less >= 18);
}

TEST_CASE("Equal games differ in none of 20 pairs of runs, and in at most one of 60") {
  int differ = 0;
  for (std::uint64_t pair = 1; pair <= 60; ++pair) {
    const RunComparison same = compared(pair, 1);
    bool any = same.worse;
    for (const CostChange& change : same.costs) any |= change.verdict() != CostVerdict::NoDifference;
    differ += any ? 1 : 0;
    if (pair == 20) CHECK(differ == 0);
  }
  CHECK(differ <= 1);
}

TEST_CASE("A change is told in words and as JSON") {
  std::vector<double> before(60, 200);
  std::vector<double> after(90, 220);
  const auto change = costChange(kFaultCosts, false, before, after, 5);
  REQUIRE(change);
  CHECK(costText(*change) == "Worse: page faults of a mean frame, 200.0 to 220.0: 10.0 % more (10.0 to 10.0).");
  CHECK(costText(*costChange(FrameMetric::FaultTime, true, after, before, 5)) ==
        "Better: fault time of a usual frame, 220 ns to 200 ns: 9.1 % less (9.1 to 9.1).");
  before.assign(60, 0);
  CHECK(costText(*costChange(FrameMetric::ZeroedBytes, false, before, before, 5)) ==
        "No difference is certain: zeroed of a mean frame, 0 B to 0 B.");
  CHECK(costChange(kFaultCosts, false, before, after, 5)->verdict() == CostVerdict::Worse);
  CHECK_FALSE(costChange(kFaultCosts, false, std::span(before).first(59), after, 5));

  const auto first = readFrameRun(CostlyGame(1).csv(600, 1));
  const auto second = readFrameRun(CostlyGame(2).csv(600, 2));
  const auto json = nlohmann::json::parse(comparisonJson(*first, *second)).at("compare");
  CHECK(json.at("worse") == true);
  CHECK(json.at("before").at("frames") == 600);
  CHECK(json.at("late").at("verdict") == "no_difference_certain");
  const auto& faults = json.at("costs").at(0);
  CHECK(faults.at("cost") == "faults");
  CHECK(faults.at("verdict") == "worse");
  CHECK(faults.at("change").get<double>() == Catch::Approx(1).margin(0.3));
  CHECK(json.at("text").at(0).get<std::string>().starts_with("No difference is certain: 0.0 to 0.0 of 1000 frames"));
}

TEST_CASE("A burst that only one run has is no certain change, and a few frames are not compared") {
  std::vector<double> steady(600, 100);
  std::vector<double> burst = steady;
  burst[300] = 100'000;
  CHECK(costChange(kFaultCosts, false, steady, burst, 5)->verdict() == CostVerdict::NoDifference);
  CHECK(costChange(kFaultCosts, true, steady, burst, 5)->verdict() == CostVerdict::NoDifference);
  CHECK(compared(1, 2, 59).costs.empty());
  CHECK(compared(1, 2, 59).lines[1] == "The faults of a frame are not compared: that needs 60 frames of each run.");
}

TEST_CASE("Each time and each size of the table is compared, and a part of a cost decides nothing") {
  // Frames with 1 ms of every time and 1 MiB of every size, but `disk` of the time on the disk.
  const auto csv = [](std::uint64_t disk) {
    std::string head = "frame,duration_ns,late_by_faults,minor_faults,major_faults";
    std::string row = ",16700000,0,1,1";
    for (const FrameField& of : kFrameFields) {
      if (of.group == FrameGroup::Faults || of.name.empty()) continue;
      head.append(",").append(of.name);
      row += "," + std::to_string(of.metric == FrameMetric::FaultTimeOnDisk ? disk : 1'000'000);
    }
    std::string text = head + "\n";
    for (int i = 1; i <= 90; ++i) text += std::to_string(i) + row + "\n";
    return *readFrameRun(text);
  };
  const RunComparison compared = compareRuns(csv(1000), csv(2000));
  std::vector<FrameCost> means;
  for (const CostChange& change : compared.costs) {
    if (!change.usual) means.push_back(change.cost);
    CHECK((change.verdict() == CostVerdict::Worse) == (change.cost == FrameMetric::FaultTimeOnDisk));
  }
  std::vector<FrameCost> wanted{kFaultCosts};
  for (const FrameField& row : kFrameFields)
    if (isMean(row)) wanted.emplace_back(row.metric);
  CHECK(means == wanted);
  CHECK_FALSE(compared.worse);
  const auto told = [&](std::string_view line) { return std::ranges::count(compared.lines, line); };
  CHECK(told("Worse: fault time, disk of a mean frame, 1.00 µs to 2.00 µs: 100.0 % more (100.0 to 100.0).") == 1);
  CHECK(told("No difference is certain: fault time of a mean frame, 1.00 ms to 1.00 ms: 0.0 % more (0.0 to 0.0).") ==
        1);
  CHECK(
      std::ranges::none_of(compared.lines, [](const auto& line) { return line.find("reclaim") != std::string::npos; }));
}

TEST_CASE("Intervals are wider the more of them hold together, as tables of both distributions say") {
  std::vector<double> before(60, 100);
  std::vector<double> after;
  for (int i = 0; i < 60; ++i) after.push_back(100 + i / 2);  // the changes of 30 pairs are 0 to 29
  const auto error = [&](std::size_t intervals) {
    const auto change = costChange(kFaultCosts, false, before, after, intervals);
    return (change->high - change->low) / 2;
  };
  const double deviation = std::sqrt(30.0 * 31 / 12) / std::sqrt(30.0);  // of the mean of 0 to 29
  CHECK(error(1) / deviation == Catch::Approx(2.7564).epsilon(1e-4));    // Student's t, 29 degrees, at 99 %
  CHECK(error(5) / deviation == Catch::Approx(3.3962).epsilon(1e-4));    // at 99.8 %
  std::vector<double> sums;                                              // of all pairs of changes
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j <= i; ++j) sums.push_back((i + j) / 2.0);
  std::ranges::sort(sums);
  // Wilcoxon's signed ranks of 30 pairs: at most 109 with a share of 0.497 %, at most 78 with one of 0.0476 %.
  for (const auto& [intervals, cut] : {std::pair<std::size_t, std::size_t>(1, 109), {10, 78}}) {
    const auto change = costChange(kFaultCosts, true, before, after, intervals);
    CHECK(change->low == Catch::Approx(sums[cut]));
    CHECK(change->high == Catch::Approx(sums[sums.size() - 1 - cut]));
  }
}
