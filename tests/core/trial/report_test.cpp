#include "core/trial/report.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/trial/text.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// Runs whose wall times are these, in ms, and otherwise alike.
std::vector<TrialSample> runs(const std::vector<int>& walls, std::uint64_t faults = 100) {
  std::vector<TrialSample> samples;
  for (const int wall : walls)
    samples.push_back({.wall = wall * 1ms, .processor = wall * 1ms, .minorFaults = faults, .peakBytes = 1U << 20U});
  return samples;
}

const std::vector<int> kPlain{100, 104, 98, 101, 97, 103, 99, 102};
const std::vector<int> kFast{60, 61, 60, 62, 59, 61, 60, 58};
const std::vector<int> kSame{101, 102, 99, 100, 98, 101, 100, 101};
const std::vector<int> kSlow{120, 125, 119, 121, 118, 124, 120, 122};

TrialReport reportOf(std::vector<TriedRemedy> tried) {
  return {.command = {"prog"}, .plain = runs(kPlain, 500), .tried = std::move(tried), .rounds = kPlain.size()};
}
TriedRemedy tried(const std::string& name, std::vector<TrialSample> samples) {
  return {.remedy = {.name = name, .what = "does it", .tunables = "t=1"}, .samples = std::move(samples)};
}

}  // namespace

TEST_CASE("A gain is a verdict, the best stands first, and is recommended with its price") {
  auto dear = tried("dear", runs(kFast));
  for (TrialSample& sample : dear.samples) sample.peakBytes += 1U << 20U;
  const TrialReport report = reportOf({tried("slow", runs(kSlow)), dear, tried("same", runs(kSame))});
  const TrialResult result = judge(report);
  REQUIRE(result.rows.size() == 3);
  CHECK(result.rows[0].index == 1);
  CHECK(result.rows[0].verdict == TrialVerdict::Better);
  CHECK(result.rows[0].moreFaults == -400);
  CHECK(result.rows[1].verdict == TrialVerdict::NoDifference);
  CHECK(result.rows[2].verdict == TrialVerdict::Worse);
  CHECK(bestOf(result) == result.rows.data());
  CHECK(verdictText(result.rows[0]) == "better by 40 % (39 to 43)");
  CHECK(verdictText(result.rows[1]) == "no difference shown");
  CHECK(verdictText(result.rows[2]) == "worse by 20 % (20 to 22)");
  CHECK(trialAdvice(report, result) ==
        "Try: GLIBC_TUNABLES=t=1. Proven in 8 interleaved rounds: 101 ms to 60.0 ms, 40 % less (39 to 43). Price: "
        "+1.00 MiB of peak memory.");
}

TEST_CASE("Of a healthy program, nothing is recommended") {
  const TrialReport report = reportOf({tried("same", runs(kSame)), tried("slow", runs(kSlow))});
  CHECK(bestOf(judge(report)) == nullptr);
  CHECK(trialAdvice(report, judge(report)).starts_with("No remedy is recommended"));
}

TEST_CASE("A gain below one percent is shown, and not recommended") {
  auto samples = runs(kPlain);
  for (TrialSample& sample : samples) sample.wall = sample.wall * 995 / 1000;
  const TrialResult result = judge(reportOf({tried("little", samples)}));
  CHECK(result.rows[0].verdict == TrialVerdict::Better);
  CHECK(bestOf(result) == nullptr);
}

TEST_CASE("More remedies need more rounds for the same confidence") {
  TrialReport report = reportOf({tried("fast", runs(kFast))});
  CHECK(judge(report).rows[0].verdict == TrialVerdict::Better);
  for (int i = 0; i < 9; ++i) report.tried.push_back(tried("more", runs(kFast)));
  const TrialResult result = judge(report);
  CHECK(result.confidence > 0.9949);
  CHECK(result.rows[0].verdict == TrialVerdict::TooFewRuns);
  CHECK(trialTable(report).find("A verdict on 10 remedies needs 9 rounds, about 15.0 s: give --rounds 9.") !=
        std::string::npos);
}

TEST_CASE(
    "A trial that is not told how many rounds has enough for a verdict on each remedy, also if one is disturbed") {
  for (const std::size_t remedies : {1U, 2U, 10U, 17U, 100U}) {
    const std::size_t rounds = usualRounds(remedies);
    INFO(remedies << " remedies, " << rounds << " rounds");
    CHECK(rounds >= std::max<std::size_t>(12, neededRounds(remedies)));
    CHECK(rounds <= 20);
    TrialReport report{.command = {"prog"}, .plain = runs(std::vector(rounds, 100)), .rounds = rounds};
    std::vector<int> walls(rounds, 60);
    walls[3] = 500;
    report.tried.assign(remedies, tried("fast", runs(walls)));
    CHECK(judge(report).rows.back().verdict == TrialVerdict::Better);
  }
  CHECK(usualRounds(1) == 12);
  CHECK(timeNeededText({.command = {"prog"}, .tried = std::vector(10, tried("fast", {})), .rounds = 14}, 2s) ==
        "14 rounds of 11 runs take about 7 min 42 s.");
}

TEST_CASE("A remedy that changes the program's behaviour is last, and not recommended") {
  auto output = tried("output", runs(kFast));
  output.samples[3].outputHash = 1;
  auto code = tried("code", runs(kFast));
  code.samples[5].code = 3;
  auto killed = tried("killed", runs(kFast));
  killed.samples[0].signal = 11;
  TrialReport report = reportOf({output, code, killed, tried("slow", runs(kSlow))});
  report.sameOutput = true;
  const TrialResult result = judge(report);
  CHECK(result.rows[0].verdict == TrialVerdict::Worse);
  CHECK(result.rows[1].verdict == TrialVerdict::OtherOutput);
  CHECK(result.rows[2].verdict == TrialVerdict::OtherExitCode);
  CHECK(result.rows[3].verdict == TrialVerdict::OtherExitCode);
  CHECK(bestOf(result) == nullptr);
}

TEST_CASE(
    "A change of the output is told, with the lines that differ, and rejects a remedy only where that is asked for") {
  TrialReport report = reportOf({tried("keep", {})});
  const auto prints = [](TrialSample run, const std::string& text) {
    run.output = text;
    run.outputBytes = text.size();
    run.outputHash = hashOn(kEmptyHash, text);
    return run;
  };
  for (TrialSample& run : report.plain) run = prints(run, "60 frames\n34 missed\n");
  for (const TrialSample& run : runs(kFast))
    addRun(report.tried[0].samples,
           prints(run, "60 frames\n" + std::to_string(report.tried[0].samples.size()) + " missed\n"));
  const TrialResult result = judge(report);
  CHECK(bestOf(result) == result.rows.data());
  CHECK(verdictText(result.rows[0]) == "better by 40 % (39 to 43), other output");
  CHECK(trialTable(report).find("  keep changes the output, which --same-output would reject: line 2: “34 missed” "
                                "becomes “0 missed”.\n") != std::string::npos);
  CHECK(trialAdvice(report, result).ends_with("It changes the output: line 2: “34 missed” becomes “0 missed”."));
  const auto remedy = nlohmann::json::parse(trialJson(report)).at("try").at("remedies").at(0);
  CHECK(remedy.at("verdict") == "better");
  CHECK(remedy.at("output_difference").at("lines").at(0) ==
        nlohmann::json{{"line", 2}, {"plain", "34 missed"}, {"remedy", "0 missed"}});
  report.sameOutput = true;
  CHECK(judge(report).rows[0].verdict == TrialVerdict::OtherOutput);
  CHECK(verdictText(judge(report).rows[0]) == "changes the output");
  CHECK(bestOf(judge(report)) == nullptr);
}

TEST_CASE("Output that differs between the program's own runs is not compared") {
  TrialReport report = reportOf({tried("fast", runs(kFast))});
  for (std::size_t i = 0; i < report.plain.size(); ++i) report.plain[i].outputHash = i;
  const TrialResult result = judge(report);
  CHECK(result.outputVaries);
  CHECK(result.rows[0].verdict == TrialVerdict::Better);
  CHECK(trialTable(report).find("cannot be compared") != std::string::npos);
}

TEST_CASE("Interrupted runs leave the complete rounds") {
  TrialReport report = reportOf({tried("a", runs(kFast)), tried("b", runs(kFast))});
  report.tried[1].samples.resize(6);
  report.dropIncompleteRounds();
  CHECK(judge(report).rounds == 6);
  CHECK(report.tried[0].samples.size() == 6);
  report.plain.clear();
  report.dropIncompleteRounds();
  CHECK(judge(report).rows.empty());
}

TEST_CASE("Disturbed runs are told") {
  TrialReport report = reportOf({tried("fast", runs(kFast))});
  report.plain[0].waited = 0.11;
  report.tried[0].samples[1].waited = 0.1;
  report.repeated = 4;
  CHECK(judge(report).disturbedRuns == 1);
  CHECK(trialTable(report).find("In 5 runs") != std::string::npos);
}

TEST_CASE("JSON and Markdown have each remedy, also those that could not be tried") {
  TrialReport report = reportOf({tried("fast", runs(kFast))});
  report.absent.push_back({.name = "huge", .what = "", .absent = Unavailable{.why = "no", .enable = "do"}});
  const auto document = nlohmann::json::parse(trialJson(report)).at("try");
  CHECK(document.at("remedies").at(0).at("verdict") == "better");
  CHECK(document.at("remedies").at(0).at("samples").size() == kFast.size());
  CHECK(document.at("unavailable").at(0).at("why") == "no");
  const std::string markdown = trialMarkdown(report);
  CHECK(markdown.find("| fast | 60.0 ms | better by 40 %") != std::string::npos);
  CHECK(markdown.find("* huge is unavailable: no. do") != std::string::npos);
}
