// The verdicts and the report of a trial of frames.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/trial/text.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kRounds = 8;

struct Game {
  double faults = 500;  // a frame
  std::optional<double> inFaults = 2e6;
  std::optional<double> about = std::nullopt;
  std::optional<double> teardown = 1e6;
  double p99 = 30e6;
  Nanoseconds processor = 5s;
};

// Runs of 1000 frames of 10 ms, which differ by less than a hundredth.
std::vector<TrialSample> runs(const Game& game) {
  std::vector<TrialSample> samples;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const double vary = 1 + 0.001 * static_cast<double>(i % 3);
    const auto times = [vary](std::optional<double> value) { return value ? std::optional(*value * vary) : value; };
    FrameFigures figures{.frames = 1000,
                         .late = 0.1,
                         .lateByMemory = 0.05,
                         .faults = game.faults,
                         .mean = 10e6,
                         .p50 = 9e6,
                         .p99 = game.p99 * vary,
                         .low = 30,
                         .inFaultsAbout = times(game.about)};
    figures.of(FrameMetric::FaultTime) = times(game.inFaults);
    figures.of(FrameMetric::TeardownTime) = times(game.teardown);
    samples.push_back({.wall = 10s, .processor = game.processor, .peakBytes = 1U << 20U, .frames = figures});
  }
  return samples;
}

WatchedGame watchedGame() {
  WatchedGame watched;
  watched.mark = "render";
  watched.faults = exact("counted");
  watched.faultTime = unavailable("no BPF", "grant it");
  watched.teardown = unavailable("no function");
  return watched;
}

TrialReport reportOf(const Game& plain, const Game& tried) {
  return {.command = {"game"},
          .plain = runs(plain),
          .tried = {{.remedy = {.name = "keep", .what = "does it", .tunables = "t=1"}, .samples = runs(tried)}},
          .rounds = kRounds,
          .watched = watchedGame()};
}

constexpr Game kSaved{.faults = 5, .inFaults = 20e3, .teardown = 10e3};
constexpr Game kCounted{.inFaults = std::nullopt, .about = 2e6, .teardown = std::nullopt};
constexpr Game kCountedSaved{
    .faults = 5, .inFaults = std::nullopt, .about = 20e3, .teardown = std::nullopt, .processor = 3s};

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Frames are compared by their time in faults and giving memory back, and the gain is recommended") {
  const TrialReport report = reportOf({}, kSaved);
  const TrialResult result = judge(report);
  CHECK(result.measure == TrialMeasure::MemoryTime);
  REQUIRE(bestOf(result) != nullptr);
  CHECK(verdictText(result.rows[0]) == "better by 99 % (99 to 99)");
  CHECK(trialAdvice(report, result) ==
        "Try: GLIBC_TUNABLES=t=1. Proven in 8 interleaved rounds, by the mean time of a frame in page faults and in "
        "giving memory back: 3.00 ms to 30.0 µs, 99 % less (99 to 99). Price: +0 B of peak memory.");
  CHECK(has(trialTable(report), "Frames end with render. Their faults are exact: counted."));
}

TEST_CASE("Where giving memory back is unknown in a single run, all runs are compared by the time in faults") {
  TrialReport report = reportOf({}, kSaved);
  report.tried[0].samples[3].frames->of(FrameMetric::TeardownTime).reset();
  CHECK(judge(report).measure == TrialMeasure::FaultTime);
  CHECK(bestOf(judge(report)) != nullptr);
  CHECK(has(trialTable(report), "The time of giving memory back is unavailable: no function."));
}

TEST_CASE("Where no time is measured, faults are compared, and CPU time must be saved, too") {
  const TrialReport report = reportOf(kCounted, kCountedSaved);
  CHECK(judge(report).measure == TrialMeasure::Faults);
  REQUIRE(bestOf(judge(report)) != nullptr);
  CHECK(has(trialAdvice(report, judge(report)), "by the mean number of page faults of a frame: 500 to 5.0, 99 % less"));
  const std::string table = trialTable(report);
  CHECK(has(table, "about 2.00 ms"));
  CHECK(has(table, "The measured time in page faults is unavailable: no BPF. To enable it: grant it."));
  TrialReport brief = reportOf({}, kSaved);
  brief.watched->faultTime = exact("timed");
  brief.plain[2].frames->of(FrameMetric::FaultTime).reset();
  CHECK(judge(brief).measure == TrialMeasure::Faults);
  CHECK(has(trialTable(brief), "time in page faults is unavailable: a run was over before half of its frames could"));
  Game busy = kCountedSaved;  // as few faults as large pages have, and as much work
  busy.processor = 5s;
  const TrialResult dear = judge(reportOf(kCounted, busy));
  CHECK(dear.rows[0].verdict == TrialVerdict::Better);
  CHECK(bestOf(dear) == nullptr);
}

TEST_CASE("A saving that hardly matters to the frames is not recommended, nor one that makes slow frames slower") {
  const TrialResult little = judge(reportOf({.inFaults = 50e3, .teardown = 0}, {.inFaults = 1e3, .teardown = 0}));
  CHECK(little.rows[0].verdict == TrialVerdict::Better);
  CHECK(bestOf(little) == nullptr);
  Game slow = kSaved;
  slow.p99 = 33e6;
  CHECK(bestOf(judge(reportOf({}, slow))) == nullptr);
  slow.p99 = 27e6;
  CHECK(bestOf(judge(reportOf({}, slow))) != nullptr);
}

TEST_CASE("Of no faults nothing can be saved, and new ones are worse") {
  const Game none{.faults = 0, .inFaults = std::nullopt, .about = 0, .teardown = std::nullopt};
  const TrialReport report = reportOf(none, none);
  CHECK(judge(report).rows[0].verdict == TrialVerdict::NoDifference);
  CHECK(has(trialAdvice(report, judge(report)),
            "No remedy is recommended: of the mean number of page faults of a frame"));
  CHECK(judge(reportOf(none, kCounted)).rows[0].verdict == TrialVerdict::Worse);
}

TEST_CASE("A remedy with which the game has no frame changes its end, and has no gain") {
  TrialReport report = reportOf({}, kSaved);
  for (TrialSample& sample : report.tried[0].samples) {
    sample.frames.reset();
    sample.signal = 6;
  }
  const TrialResult result = judge(report);
  CHECK(result.rows[0].verdict == TrialVerdict::OtherExitCode);
  CHECK_FALSE(result.rows[0].gain);
  CHECK(has(trialTable(report), "changes the exit code"));
  CHECK(nlohmann::json::parse(trialJson(report)).at("try").at("remedies").at(0).at("gain").is_null());
}

TEST_CASE("Output and exit code of runs that were ended are not compared, but a crash is one") {
  TrialReport report = reportOf({}, kSaved);
  report.duration = 5s;
  for (TrialSample& sample : report.plain) sample.ended = true;
  TrialSample& last = report.tried[0].samples.back();
  last.code = 7;
  last.outputHash = 1;
  CHECK(bestOf(judge(report)) != nullptr);
  CHECK(has(trialTable(report), "Runs that lasted 5.00 s were ended; their output and exit code are not compared."));
  last.signal = 11;
  CHECK(judge(report).rows[0].verdict == TrialVerdict::OtherExitCode);
}

TEST_CASE("A remedy without a frame changes the end of runs that are ended otherwise") {
  TrialReport report = reportOf({}, kSaved);
  for (TrialSample& sample : report.plain) sample.ended = true;
  for (TrialSample& sample : report.tried[0].samples) sample.frames.reset();
  CHECK(judge(report).rows[0].verdict == TrialVerdict::OtherExitCode);
}

TEST_CASE("JSON names the measure, and absent is null; a trial of whole runs has no frames") {
  const auto trial = nlohmann::json::parse(trialJson(reportOf(kCounted, kCountedSaved))).at("try");
  CHECK(trial.at("measure") == "faults_per_frame");
  CHECK(trial.at("frames_end_with") == "render");
  const auto& frames = trial.at("plain").at("medians").at("frames");
  CHECK(frames.at("late_by_memory_share") == 0.05);
  CHECK(frames.at("processor_ns") == 5e6);
  CHECK(frames.at("fault_ns").is_null());
  CHECK(trial.at("plain").at("samples").at(0).at("frames").at("late_by_memory") == 50);
  TrialReport whole = reportOf({}, kSaved);
  whole.watched.reset();
  for (auto* samples : {&whole.plain, &whole.tried[0].samples})
    for (TrialSample& sample : *samples) sample.frames.reset();
  const auto runs = nlohmann::json::parse(trialJson(whole)).at("try");
  CHECK(runs.at("measure") == "wall_time");
  CHECK_FALSE(runs.at("plain").at("medians").contains("frames"));
}

TEST_CASE("Markdown has a column for each figure of frames") {
  const std::string markdown = trialMarkdown(reportOf({}, kSaved));
  CHECK(has(markdown,
            "| remedy | faults | in faults | giving back | verdict | late by memory | p50 | p99 | 1 % low | cpu | peak "
            "memory | price |\n|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|\n"));
}
