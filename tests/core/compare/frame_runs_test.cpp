#include "core/compare/frame_runs.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

constexpr const char* kHead =
    "frame,start_ns,duration_ns,minor_faults,major_faults,fault_ns,late_by_faults,culprit\r\n";

// `frames` frames of 10 ms; each `every`th is late because of faults of 20 ms in `culprit`.
std::string csv(int frames, int every, const std::string& culprit) {
  std::string text = kHead;
  for (int i = 1; i <= frames; ++i) {
    const bool late = every > 0 && i % every == 0;
    text += std::to_string(i) + "," + std::to_string(i * 10'000'000LL) + (late ? ",30000000" : ",10000000") +
            (late ? ",1000,0,20000000,1,\"about 50.0\xE2\x80\x89% in " + culprit + "\"" : ",16,0,50000,0,") + "\r\n";
  }
  return text;
}

FrameRun runOf(const std::string& text) {
  const auto run = readFrameRun(text);
  REQUIRE(run);
  return *run;
}

}  // namespace

TEST_CASE("A run has the durations of its frames, those late because of faults, and their culprits") {
  const FrameRun run = runOf(csv(1000, 50, "load"));
  CHECK(run.durations.size() == 1000);
  CHECK(run.hurt.size() == 20);
  CHECK(std::ranges::is_sorted(run.durations));
  CHECK(std::ranges::count(run.costs.at({}), 1000.0) == 20);
  CHECK(std::ranges::count(run.costs.at({}), 16.0) == 980);
  CHECK(run.inFaults == 20 * 20e6 + 980 * 50e3);
  CHECK(run.culprits == std::map<std::string, CulpritCost>{{"load", {20 * 10e6, 20 * 10e6 * 10e6}}});
}

TEST_CASE("More frames late because of faults are worse with confidence, fewer are better, and the culprit is named") {
  const FrameRun good = runOf(csv(1000, 500, "Level::load (level.cpp:9)"));
  const FrameRun bad = runOf(csv(1000, 50, "Pool<int, 4>::grow (pool.h:7)"));
  const RunComparison worse = compareRuns(good, bad);
  CHECK(worse.worse);
  CHECK(worse.confidence > 0.999);
  CHECK(worse.lines.front().starts_with("Worse: 2.0 to 20.0 of 1000 frames late because of page faults"));
  const auto has = [](const RunComparison& all, const std::string& line) {
    return std::ranges::any_of(all.lines, [&](const std::string& told) { return told.starts_with(line); });
  };
  CHECK(has(worse, "  Pool<int, 4>::grow (pool.h:7): "));
  CHECK(worse.lines.back().starts_with("  Level::load (level.cpp:9): "));
  CHECK(worse.lines.back().find("shrank with a confidence of ") != std::string::npos);
  CHECK(has(worse, "Frames newly late: 50, 100, 150, 200, 250, 300, 350, 400, 450, 550 and 8 more."));
  const auto numbers = comparedNumbers(worse);
  REQUIRE(numbers.size() == 1 + worse.costs.size());
  CHECK(numbers[0].before == 2);
  CHECK(numbers[0].after == 20);
  CHECK(numbers[0].verdict == "worse");
  CHECK(numbers[1].name == "Page faults of a mean frame");
  CHECK(numbers[1].range == std::pair(worse.costs[0].low, worse.costs[0].high));
  const RunComparison better = compareRuns(bad, good);
  CHECK_FALSE(better.worse);
  CHECK(better.lines.front().starts_with("Better: 20.0 to 2.0"));
  CHECK(has(better, "Frames saved: 50, 100,"));
}

TEST_CASE("Every culprit that grew or shrank is told with its confidence, not only the main one of each frame") {
  // Every 10th frame takes 20 ms in faults: 60 % of these in `load`, the rest as given.
  const auto csvOf = [](double grow, double steady) {
    std::string text =
        "frame,start_ns,duration_ns,minor_faults,major_faults,fault_ns,late_by_faults,culprits,culprit\r\n";
    for (int i = 1; i <= 1000; ++i) {
      const bool late = i % 10 == 0;
      text += std::to_string(i) + ",0," + (late ? "30000000,1000,0,20000000,1," : "10000000,16,0,50000,0,");
      if (late)
        text += "\"[[\"\"load\"\",0.6],[\"\"Pool<int, 4>::grow\"\"," + std::to_string(grow) +
                "],[\"\"say \\\"\"x\\\"\"\"\"," + std::to_string(steady) + "]]\",about 60.0\xE2\x80\x89% in load";
      else text += ",";
      text += "\r\n";
    }
    return text;
  };
  const RunComparison compared = compareRuns(runOf(csvOf(0.1, 0.2)), runOf(csvOf(0.3, 0.2)));
  REQUIRE(compared.lines.size() >= 2);
  CHECK(compared.lines[compared.lines.size() - 2] == "Culprits of the frames hit by faults that grew or shrank:");
  CHECK(compared.lines.back().starts_with(
      "  Pool<int, 4>::grow: 200 ms to 600 ms per 1000 frames, grew with a confidence"));
  CHECK(runOf(csvOf(0.1, 0.2)).culprits.contains("say \"x\""));
  CHECK(compareRuns(runOf(csvOf(0.1, 0.2)), runOf(csvOf(0.1, 0.2))).lines.back() ==
        "No culprit of the frames hit by faults grew or shrank.");
}

TEST_CASE("Runs that hardly differ are no reason for alarm") {
  CHECK_FALSE(compareRuns(runOf(csv(300, 100, "a")), runOf(csv(300, 75, "a"))).worse);
  const RunComparison same = compareRuns(runOf(csv(300, 0, "")), runOf(csv(200, 0, "")));
  CHECK_FALSE(same.worse);
  CHECK(same.confidence == 0);
  CHECK(same.lines.front().starts_with("No difference is certain: 0.0 to 0.0"));
}

TEST_CASE("A file whose writer was killed is read up to its last whole row; other files are refused") {
  const std::string whole = csv(100, 10, "load");
  CHECK(runOf(whole.substr(0, whole.size() - 10)).durations.size() == 99);
  CHECK(readFrameRun("").error().message == "has no frames: it is empty.");
  CHECK(readFrameRun(kHead).error().message == "has no frames.");
  CHECK(readFrameRun("a,b\n1,2\n").error().message.starts_with("is no file of 'faultline-cli frames --csv'"));
  CHECK(readFrameRun(std::string(kHead) + "x,y\n").error().message.starts_with("has a row without the number"));
}
