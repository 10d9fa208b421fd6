#include "core/stat/change.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>

#include "tests/core/stat/some_stat.h"

using namespace faultline;

namespace {

constexpr std::size_t kFaults = statFigure("faults");

using Runs = std::vector<double>;

StatVerdict verdictOn(const Runs& before, const Runs& after, double allowed = 0.005) {
  return statChange(kFaults, before, after, allowed).value().verdict;
}

Runs normal(std::mt19937_64& random, double middle, double deviation, std::size_t count) {
  std::normal_distribution<double> draw(middle, deviation);
  Runs values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(std::round(draw(random)));
  return values;
}

}  // namespace

TEST_CASE("A count that does not vary is judged by the page, beyond what is allowed") {
  const Runs same{10'000, 10'000, 10'000};
  CHECK(verdictOn(same, {10'100, 10'100, 10'100}) == StatVerdict::Worse);
  CHECK(verdictOn(same, {9900, 9900, 9900}) == StatVerdict::Better);
  CHECK(verdictOn(same, {10'050, 10'050, 10'050}) == StatVerdict::Alike);  // 0.5 % is allowed
  CHECK(verdictOn(same, {10'050, 10'050, 10'050}, 0) == StatVerdict::Worse);
  CHECK(verdictOn(same, {10'008, 10'008, 10'008}, 0) == StatVerdict::Alike);  // so few pages lie where chance puts them
  CHECK(verdictOn(same, {10'009, 10'009, 10'009}, 0) == StatVerdict::Worse);
}

TEST_CASE("A change within the noise of the runs is unclear, and more runs make it clear") {
  const Runs noisy{10'000, 10'060, 9940};
  CHECK(verdictOn(noisy, {10'100, 10'160, 10'040}) == StatVerdict::Unclear);
  Runs before;
  Runs after;
  for (int i = 0; i < 10; ++i)
    for (const double value : noisy) {
      before.push_back(value);
      after.push_back(value + 100);
    }
  CHECK(verdictOn(before, after) == StatVerdict::Worse);
}

TEST_CASE("A change is judged with three runs together at least, and needs a value on each side") {
  CHECK(!statChange(kFaults, Runs{1}, Runs{2}, 0));
  CHECK(!statChange(kFaults, Runs{1, 1, 1}, Runs{}, 0));
  CHECK(statChange(kFaults, Runs{1000, 1000}, Runs{2000}, 0)->verdict == StatVerdict::Worse);
}

TEST_CASE("Equal programs are told apart in at most two of a thousand comparisons, and one hundredth always") {
  std::mt19937_64 random(7);
  int wrong = 0;
  int found = 0;
  constexpr int kTimes = 4000;
  for (int i = 0; i < kTimes; ++i) {
    const Runs before = normal(random, 100'000, 400, 3);
    wrong += verdictOn(before, normal(random, 100'000, 400, 3), 0) == StatVerdict::Worse ? 1 : 0;
    const Runs steady = normal(random, 100'000, 40, 3);
    found += verdictOn(steady, normal(random, 101'000, 40, 3)) == StatVerdict::Worse ? 1 : 0;
  }
  CHECK(wrong <= 2 * kTimes / 1000);
  CHECK(found == kTimes);
}

TEST_CASE("A program's changes are of its counts, and of times if asked for") {
  StatProgram before;
  for (const char* const name : {"wall_ns", "cpu_ns", "faults", "minor_faults", "peak_bytes", "fault_ns"})
    for (std::size_t i = 0; i < kStatFields.size(); ++i)
      if (kStatFields[i].name == name) before.values[i] = {1e8, 1e8, 1e8};
  StatProgram after = before;
  for (auto& values : after.values)
    for (double& value : values) value *= 1.1;
  const auto namesOf = [&](StatJudged judged) {
    std::vector<std::string_view> names;
    for (const StatChange& change : statChanges(before, after, 0, judged)) {
      CHECK(change.verdict == StatVerdict::Worse);
      names.push_back(kStatFields.at(change.figure).name);
    }
    return names;
  };
  using Names = std::vector<std::string_view>;
  CHECK(namesOf(StatJudged::Counts) == Names{"faults", "peak_bytes"});
  CHECK(namesOf(StatJudged::CountsAndTimes) == Names{"wall_ns", "cpu_ns", "faults", "peak_bytes"});
  after.peakAtMost = true;
  CHECK(namesOf(StatJudged::Counts) == Names{"faults"});
}

TEST_CASE("A change is told with its share and its noise") {
  const auto change = statChange(kFaults, Runs{10'000, 10'000, 10'000}, Runs{10'102, 10'102, 10'102}, 0);
  CHECK(test::withBlanks(changeText(*change)) == "Page faults: 10 000 to 10 102, 102 more (1.0 %; noise 0.000 %)");
  CHECK(test::withBlanks(changeText(*statChange(kFaults, Runs{0, 0}, Runs{9}, 0))) == "Page faults: 0 to 9, 9 more");
}
