#include "core/lab/view/groups.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "core/lab/view/comparison.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

LabRow row(std::string way, std::string phase, std::uint64_t amount, std::string unit, Nanoseconds time = 100ns) {
  LabRow made{.way = std::move(way), .phase = std::move(phase), .amount = amount, .unit = std::move(unit)};
  made.samples = {{.wall = time, .processor = time}};
  return made;
}

}  // namespace

TEST_CASE("A chart holds the ways of one phase, for one unit of work where all have the same") {
  LabReport report;
  report.rows = {row("8 MiB", "alloc", 1, "call"), row("8 MiB", "touch", 8, "MiB"), row("16 MiB", "alloc", 16, "MiB"),
                 row("16 MiB", "touch", 16, "MiB"), row("locked", "touch", 16, "MiB")};
  report.rows[4].samples.clear();  // refused
  const auto groups = labGroups(report);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0] == LabGroup{.name = "alloc", .unit = "", .ofWay = false, .rows = {0, 2}});
  CHECK(groups[1] == LabGroup{.name = "touch", .unit = "MiB", .ofWay = false, .rows = {1, 3}});
  CHECK(labGroupTitle(groups[0]) == "alloc");
  CHECK(labGroupTitle(groups[1]) == "touch, per MiB");
}

TEST_CASE("A report with more phases than ways has a chart for each way") {
  LabReport report;
  report.rows = {row("top-down", "n = 1000", 1000, "mapping"), row("top-down", "n = 2000", 2000, "mapping")};
  const auto groups = labGroups(report);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0] == LabGroup{.name = "top-down", .unit = "mapping", .ofWay = true, .rows = {0, 1}});
}

TEST_CASE("A row stands beside the same row of another machine, for as much work") {
  LabReport other{.experiment = "cost"};
  other.rows = {row("8 MiB", "touch", 4, "MiB", 300ns)};
  const std::vector<LabReport> others{LabReport{.experiment = "pool"}, other};
  const LabReport* const same = sameExperiment(others, LabReport{.experiment = "cost"});
  REQUIRE(same == &others[1]);
  CHECK(sameExperiment(others, LabReport{.experiment = "nodes"}) == nullptr);
  const LabPair pair = pairOf(row("8 MiB", "touch", 8, "MiB", 200ns), same);
  CHECK(pair.here->median == 200);
  CHECK(pair.there->median == 600);
  CHECK(pair.ratio == 3.0);
  CHECK_FALSE(pairOf(row("8 MiB", "free", 8, "MiB"), same).ratio);
  CHECK_FALSE(pairOf(row("8 MiB", "touch", 8, "call"), same).there);
  CHECK_FALSE(pairOf(row("8 MiB", "touch", 8, "MiB"), nullptr).there);
}

TEST_CASE("The time that counts is the processor's for one thread, and the clock's for several") {
  LabRow one = row("a", "b", 1, "", 50ns);
  one.samples[0].processor = 40ns;
  CHECK(labTime(one)->median == 40);
  one.alone = false;
  CHECK(labTime(one)->median == 50);
  one.alone = true;
  one.samples.push_back({.wall = 900ns, .processor = 800ns, .switches = 1});
  one.samples[0].switches = 0;
  CHECK(labTime(one)->median == 40);
  one.samples.clear();
  CHECK_FALSE(labTime(one));
}

TEST_CASE("Two results are compared by the rows that both have") {
  LabReport before;
  before.experiment = "eager";
  before.rows = {row("touch", "first", 1, "page", 100ns), row("old", "first", 1, "page")};
  LabReport after = before;
  after.rows = {row("touch", "first", 1, "page", 150ns), row("new", "first", 1, "page")};
  const std::string text = comparedLabText(std::array{before}, std::array{after});
  INFO(text);
  CHECK(text.find("touch  first  100 ns  150 ns            1.50") != std::string::npos);
  CHECK(text.find("new") == std::string::npos);
  const auto numbers = comparedNumbers(std::array{before}, std::array{after});
  REQUIRE(numbers.size() == 1);
  CHECK(numbers.front().name == "eager: touch, first");
  CHECK(numbers.front().after == 150);
  CHECK(comparedLabText({}, std::array{after}) == "eager is in the second file alone.\n");
  CHECK(comparedLabJson(std::array{before}, std::array{after}).find("\"median_ns\": 150") != std::string::npos);
}
