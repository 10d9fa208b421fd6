// The cost of page faults for frames, found by delays, of planted games that pay for their faults or do not.
// FAULTLINE_RUNS=10 plays each game ten times without and with a busy loop beside it, holds the slopes to 0.1 on the
// path of the frame and 0.05 beside it, and prints a table. The slopes are of busy time, so that a busy machine does
// not change them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/app/cli/shell_linux.h"

namespace faultline::test {
namespace {

struct DelayedKind {
  const char* name;
  const char* game;
  double slope;
  bool alone = false;  // waits for a worker, which a busy loop keeps from its processor
};

constexpr std::array<DelayedKind, 7> kDelayedKinds{{
    {"own faults, free running", "faults plant=0 pages=100 every=1 display=0 work=2 frames=700", 1},
    {"own faults, paced", "faults plant=0 pages=100 every=1 display=120 work=2 frames=500", 1},
    {"own faults, in bursts", "faults plant=0 pages=1000 every=10 display=0 work=2 frames=900", 1},
    {"background, free running", "offpath plant=0 display=0 work=3 frames=700", 0},
    {"background, paced", "streamed plant=0 display=120 work=2 frames=500", 0},
    {"awaited faults, free running", "workers plant=0 pages=100 every=1 display=0 work=2 frames=700", 1, true},
    {"awaited faults, paced", "workers plant=0 pages=100 every=1 display=120 work=2 frames=500", 1, true},
}};
constexpr double kOnPath = 0.1;  // largest distance of the slope from the truth
constexpr double kBeside = 0.05;
constexpr double kOfOneRun = 0.15;  // between the truth and the interval, on a machine that does other work, too

nlohmann::json play(const DelayedKind& kind, int busy, const char* options = "--delay 4us") {
  const Shell shell;
  const Outcome outcome = shell.run(fmt::format(
      "faultline-cli frames {} --stacks none --json f.json -- planted_game {} busy={} 2>&1", options, kind.game, busy));
  CAPTURE(kind.name, outcome.output);
  std::ifstream in(shell.folder / "f.json");
  const auto whole = nlohmann::json::parse(in);
  if (whole["watched"].contains("delay") && whole["watched"]["delay"]["grade"] == "unavailable")
    SKIP(whole["watched"]["delay"]["how"].get<std::string>());
  return whole;
}

}  // namespace

TEST_CASE("Delayed faults show that a frame pays for its own faults, and not for those in the background",
          "[slow][alone]") {
  if (geteuid() != 0) SKIP("BPF programs need privileges");
  const char* const asked = std::getenv("FAULTLINE_RUNS");
  const int runs = asked == nullptr ? 1 : std::atoi(asked);
  const char* const only = std::getenv("FAULTLINE_KIND");
  std::string table = fmt::format("{:<30}{:>5}{:>6}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}\n", "kind", "busy", "truth", "runs",
                                  "within", "least", "median", "most", "width");
  int judged = 0;
  for (const DelayedKind& kind : kDelayedKinds) {
    if (only != nullptr && std::string(only) != kind.name) continue;
    for (const int busy : {0, 1}) {
      if (busy > 0 && (asked == nullptr || kind.alone)) continue;
      const double most = asked == nullptr ? kOfOneRun : kind.slope > 0 ? kOnPath : kBeside;
      std::vector<double> slopes;
      double width = 0;
      int within = 0;
      for (int i = 0; i < runs; ++i) {
        const auto delay = play(kind, busy)["delay"];
        CAPTURE(kind.name, busy, delay.dump());
        if (delay.is_null() || delay["paid_share"].is_null()) continue;  // the machine left no frames to compare
        const double slope = delay["paid_share"];
        slopes.push_back(slope);
        const double low = delay["paid_share_low"];
        const double high = delay["paid_share_high"];
        const bool right = asked == nullptr ? low - most <= kind.slope && kind.slope <= high + most
                                            : std::abs(slope - kind.slope) <= most;
        within += right ? 1 : 0;
        width += high - low;
        if (asked == nullptr && !kind.alone) CHECK(right);
        if (asked == nullptr && !kind.alone) CHECK((kind.slope > 0 ? high > 0.5 : low < 0.5));
        CHECK(delay["added_ns"] > 0);
      }
      judged += static_cast<int>(slopes.size());
      if (slopes.empty()) continue;
      std::ranges::sort(slopes);
      table += fmt::format("{:<30}{:>5}{:>6}{:>6}{:>8}{:>8.3f}{:>8.3f}{:>8.3f}{:>8.3f}\n", kind.name, busy, kind.slope,
                           slopes.size(), within, slopes.front(), slopes[slopes.size() / 2], slopes.back(),
                           width / static_cast<double>(slopes.size()));
      if (asked != nullptr && !kind.alone) CHECK(within == static_cast<int>(slopes.size()));
    }
  }
  if (asked != nullptr) std::cout << table;
  CHECK(judged > 0);
}

TEST_CASE("Without --delay no fault is delayed, and nothing is said of it", "[slow]") {
  const auto whole = play({"", "faults plant=0 pages=50 every=1 display=0 work=1 frames=400", 1}, 0, "");
  CHECK_FALSE(whole["watched"].contains("delay"));
  CHECK(whole["delay"].is_null());
  for (const auto& frame : whole["frames"]) REQUIRE(frame["delay_ns"].is_null());
}

TEST_CASE("The report tells what the frames pay, and a recording tells the same", "[slow][alone]") {
  if (geteuid() != 0) SKIP("BPF programs need privileges");
  const Shell shell;
  const Outcome live = shell.run(
      "faultline-cli frames --delay 2us --stacks none --record r.faultline --json a.json -- planted_game faults "
      "plant=0 "
      "pages=200 every=1 display=0 work=1 frames=400 && faultline-cli export r.faultline --format json >b.json");
  CAPTURE(live.output);
  std::ifstream first(shell.folder / "a.json");
  const auto a = nlohmann::json::parse(first);
  if (a["watched"]["delay"]["grade"] == "unavailable") SKIP(a["watched"]["delay"]["how"].get<std::string>());
  CHECK(live.output.find("Page faults were delayed by ") != std::string::npos);
  CHECK(live.output.find("Delays of faults are exact: BPF at the fault's end, busy for 2us at least") !=
        std::string::npos);
  CHECK(a["watched"]["fault_time"]["how"].get<std::string>().find("without the delay that was asked for") !=
        std::string::npos);
  std::ifstream second(shell.folder / "b.json");
  const auto b = nlohmann::json::parse(second);
  CHECK(a["delay"] == b["delay"]);
}

TEST_CASE("Where faults cannot be delayed, the command says why and goes on") {
  const Shell shell;
  const Outcome outcome = shell.run("faultline-cli frames --synthetic --delay 2us --duration 300ms 2>&1; echo code $?");
  CAPTURE(outcome.output);
  CHECK(outcome.output.find(
            "Delays of faults are unavailable: Only BPF programs at the game's own marks, or at calls of "
            "a function, delay faults. To enable them: A collector with cap_perfmon") != std::string::npos);
  CHECK(outcome.output.find("code 0") != std::string::npos);
}

TEST_CASE("A delay beyond its bounds, or of frames without true ends, is refused") {
  const Shell shell;
  const std::string beyond = "' is not between 100ns and 100us.";
  for (const auto& [delay, why] :
       std::vector<std::pair<std::string, std::string>>{{"50ns", "'50ns" + beyond},
                                                        {"200us", "'200us" + beyond},
                                                        {"2", "'2' is not a duration."},
                                                        {"2us --assume 60", "--delay needs the true ends of frames"}}) {
    const Outcome outcome = shell.run("faultline-cli frames --delay " + delay + " -- true 2>&1");
    CAPTURE(delay, outcome.output);
    CHECK(outcome.code == 2);
    CHECK(outcome.output.find(why) != std::string::npos);
  }
}

}  // namespace faultline::test
