#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/export/quality_json.h"
#include "core/frames/files/formats.h"
#include "tests/support/some_samples.h"

using namespace faultline;
using namespace faultline::test;

namespace {

nlohmann::json watchedJson(const WatchedGame& game) {
  const auto frames = jsonFrames();
  std::string document;
  frames->begin({game, "1.2.3"}, document);
  frames->end(document);
  return nlohmann::json::parse(document)["watched"];
}

nlohmann::json watchedJson(const std::string& name) {
  WatchedGame game;
  game.name = name;
  return watchedJson(game);
}

SessionTotals losses() {
  SessionTotals totals;
  totals.lostFrames = 3;
  totals.samples = 70;
  totals.lostSamples = 5;
  totals.withoutStack = 4;
  totals.untimed = 6;
  totals.unseen = std::chrono::microseconds(6);
  totals.unseenFrames = 2;
  totals.invalidMarks = 9;
  totals.evidence = {.frames = 32, .withSamples = 31, .leftOut = 20, .faultsLeftOut = 9'000, .merged = 12, .late = 8};
  return totals;
}

}  // namespace

TEST_CASE("How good the numbers of frames are is in the document, one by one") {
  WatchedGame game;
  game.faults = {Grade::Exact, "counted", "", 64};
  game.zeroed = {Grade::Estimated, "a lower bound", "", 64};
  game.faultTime = {Grade::Unavailable, "no permission", "grant it", 64};
  const auto watched = watchedJson(game);
  CHECK(watched["grade"] == "exact");
  CHECK(watched["how"] == "counted");
  for (const FrameQuality& row : kFrameQualities) {  // as doctor and stat have them
    CAPTURE(row.name);
    CHECK(watched[std::string(row.name)] == nlohmann::json(qualityJson(game.*row.quality)));
  }
  CHECK(watched["zeroed"] == nlohmann::json{{"grade", "estimated"}, {"how", "a lower bound"}, {"enable", ""}});
  CHECK(watched["fault_time"] ==
        nlohmann::json{{"grade", "unavailable"}, {"how", "no permission"}, {"enable", "grant it"}});
}

TEST_CASE("A game whose name is no UTF-8 is told from one that looks the same") {
  const auto odd = watchedJson("game\xff");
  const auto plain = watchedJson("game\\xff");
  CHECK(odd["name"] == plain["name"]);
  CHECK(odd["name_hex"] == "67616d65ff");
  CHECK_FALSE(plain.contains("name_hex"));
}

TEST_CASE("The document ends with a summary of all frames: late ones, percentiles and lows") {
  const auto frames = jsonFrames();
  std::string document;
  const WatchedGame game;
  frames->begin({game, "1.2.3", std::chrono::milliseconds(20)}, document);
  for (int i = 1; i <= 1000; ++i) {
    GameFrame frame;
    frame.duration = std::chrono::milliseconds(i % 100 == 0 ? 30 : 10);
    frame.values.set(FrameMetric::MinorFaults, 2);
    FrameVerdict verdict;
    verdict.late = verdict.lateByFaults = i % 100 == 0;
    verdict.deadline = {std::chrono::milliseconds(20), DeadlineBy::Given};
    frames->add({frame, verdict, {}, nullptr, losses()}, document);
  }
  frames->end(document);
  const auto parsed = nlohmann::json::parse(document);
  CHECK(parsed["version"] == "1.2.3");
  CHECK(parsed["budget_ns"] == 20'000'000);
  CHECK(parsed["frames"][0]["deadline_ns"] == 20'000'000);
  CHECK(parsed["frames"][0]["deadline_by"] == "given");
  const auto& summary = parsed["summary"];
  CHECK(summary["deadline_ns"] == 20'000'000);
  CHECK(summary["deadline_by"] == "given");
  CHECK(summary["lost_frames"] == 3);
  CHECK(summary["samples"] == 70);
  CHECK(summary["lost_samples"] == 5);
  CHECK(summary["samples_without_stack"] == 4);
  CHECK(summary["frames_without_times"] == 6);
  CHECK(summary["unseen_ns"] == 6000);
  CHECK(summary["unseen_frames_about"] == 2);
  CHECK(summary["invalid_marks"] == 9);
  CHECK(summary["flagged_frames"] == 32);
  CHECK(summary["flagged_with_samples"] == 31);
  CHECK(summary["flagged_left_out"] == 20);
  CHECK(summary["faults_left_out"] == 9'000);
  CHECK(summary["samples_merged"] == 12);
  CHECK(summary["faults_too_late"] == 8);
  CHECK(summary["frames"] == 1000);
  CHECK(summary["late"] == 10);
  CHECK(summary["late_by_faults"] == 10);
  CHECK(summary["late_by_teardown"] == 0);
  CHECK(summary["faults"] == 2000);
  CHECK(summary["p50_ns"] == 10'000'000);
  CHECK(summary["p99_ns"] == 10'000'000);
  CHECK(summary["p999_ns"] == 30'000'000);
  CHECK(std::abs(summary["low_1_percent_per_s"].get<double>() - 1000.0 / 30) < 1e-6);
  CHECK(std::abs(summary["low_0_1_percent_per_s"].get<double>() - 1000.0 / 30) < 1e-6);
  std::string none;
  const auto empty = jsonFrames();
  empty->begin({game, ""}, none);
  empty->end(none);
  CHECK(nlohmann::json::parse(none)["summary"]["p50_ns"].is_null());
}

TEST_CASE(
    "A delay of faults has columns of its own, empty where there was none, and its conclusion ends the document") {
  GameFrame frame;
  frame.values.setDelay(FrameDelay{
      .added = std::chrono::microseconds(80), .ownAdded = std::chrono::microseconds(40), .pair = 7, .delayed = true});
  WatchedGame game;
  game.delay = Quality{Grade::Exact, "BPF", "", 64};
  const auto frames = jsonFrames();
  std::string document;
  frames->begin({game, "1.2.3"}, document);
  frames->add({frame, {}}, document);
  frames->add({{}, {}}, document);
  frames->conclude("", R"({"paid_share":0.5})");
  frames->end(document);
  const auto parsed = nlohmann::json::parse(document);
  CHECK(parsed["watched"]["delay"]["how"] == "BPF");
  CHECK(parsed["frames"][0]["delay_ns"] == 80'000);
  CHECK(parsed["frames"][0]["thread_delay_ns"] == 40'000);
  CHECK(parsed["frames"][0]["thread_futex_ns"].is_null());
  CHECK(parsed["frames"][0]["delay_pair"] == 7);
  CHECK(parsed["frames"][0]["delayed"] == 1);
  for (const char* const column : {"delay_ns", "thread_delay_ns", "thread_futex_ns", "delay_pair", "delayed"})
    CHECK(parsed["frames"][1][column].is_null());
  CHECK(parsed["advice"].is_null());
  CHECK(parsed["delay"]["paid_share"] == 0.5);
  const auto rows = csvFrames();
  std::string text;
  rows->begin({game, "1.2.3"}, text);
  rows->add({frame, {}}, text);
  CHECK(text.find(",deadline_ns,delay_ns,thread_delay_ns,thread_futex_ns,delay_pair,delayed,fault_disk_ns,") !=
        std::string::npos);
  CHECK(text.find(",80000,40000,,7,1,,,,,,,,,,,,,,,,,,,0,,,,1.2.3,") != std::string::npos);
}

TEST_CASE("Major faults that the system does not tell apart are unknown, not 0") {
  const WatchedGame game;
  GameFrame frame;
  frame.values.set(FrameMetric::MinorFaults, 7);
  frame.values.clear(FrameMetric::MajorFaults);
  const auto frames = csvFrames();
  std::string csv;
  frames->begin({game, "1"}, csv);
  csv.clear();
  frames->add({frame, {}}, csv);
  CHECK(csv.starts_with("0,0,0,7,,"));
  std::string json;
  const auto document = jsonFrames();
  document->begin({game, "1"}, json);
  document->add({frame, {}}, json);
  document->end(json);
  const auto parsed = nlohmann::json::parse(json);
  CHECK(parsed["frames"][0]["minor_faults"] == 7);
  CHECK(parsed["frames"][0]["major_faults"].is_null());
  CHECK(parsed["summary"]["faults"] == 7);
}

TEST_CASE("Each row of CSV has the version, the budget and the losses so far") {
  const auto frames = csvFrames();
  std::string text;
  const WatchedGame game;
  frames->begin({game, "1.2.3", std::chrono::milliseconds(20)}, text);
  frames->add({{}, {}, "malloc, 90 %", nullptr, losses()}, text);
  frames->end(text);
  CHECK(text.find(",waiting_behind,deadline_by,version,budget_ns,lost_frames,samples,lost_samples,unseen_ns,culprits,"
                  "culprit\r\n") != std::string::npos);
  CHECK(text.ends_with(",1.2.3,20000000,3,70,5,6000,,\"malloc, 90 %\"\r\n"));
}

TEST_CASE("All culprits of a frame are written, with their shares") {
  Culprits culprits;
  culprits.timed = true;
  culprits.time = std::chrono::milliseconds(10);
  for (const auto& [name, share] :
       {std::pair("Pool<int, 4>::grow (\"a\".h:7)", 7'500), std::pair("load", 2'460), std::pair("rare", 40)})
    culprits.ofAll.lines.push_back({.name = name, .time = std::chrono::microseconds(share)});
  const WatchedGame game;
  const auto frames = csvFrames();
  std::string text;
  frames->begin({game, "1"}, text);
  frames->add({{}, {}, "", &culprits}, text);
  CHECK(text.find(R"csv("[[""Pool<int, 4>::grow (\""a\"".h:7)"",0.75],[""load"",0.246]]",)csv") != std::string::npos);
  const auto document = jsonFrames();
  std::string json;
  document->begin({game, "1"}, json);
  document->add({{}, {}, "", &culprits}, json);
  document->end(json);
  CHECK(nlohmann::json::parse(json)["frames"][0]["culprits"][1] == nlohmann::json({"load", 0.246}));
}

TEST_CASE("Folded stacks have all faults of the frames hit by faults, also those without a call stack") {
  FaultSample sample = sampleAt(std::chrono::milliseconds(1));
  sample.weight = 30;
  sample.calls = callsOf({codeOf("load"), codeOf("main")});
  const Culprits culprits = findCulprits(std::array{sample}, nullptr);
  GameFrame frame;
  frame.values.set(FrameMetric::MinorFaults, 50);
  FrameVerdict costly;
  costly.costly = true;
  FrameVerdict late;
  late.lateByFaults = true;
  const auto written = [&](const SessionTotals& totals) {
    const auto frames = foldedFrames();
    std::string text;
    const WatchedGame game;
    frames->begin({game, ""}, text);
    frames->add({frame, costly, {}, &culprits, totals}, text);
    frames->add({frame, late, {}, nullptr, totals}, text);
    frames->add({frame, {}, {}, nullptr, totals}, text);
    frames->end(text);
    return text;
  };
  CHECK(written(losses()) == "loader;main;load 30\n[no call stack] 70\n");
  CHECK(written({}) == "loader;main;load 30\n");  // single faults were not asked for
  frame.values.setFaults(50, 2);
  CHECK(written(losses()) == "loader;main;load 30\n[no call stack] 70\n[no call stack];[major fault] 4\n");
  frame.values.setFaults(50, std::nullopt);

  const auto document = jsonFrames();
  std::string json;
  const WatchedGame game;
  document->begin({game, "1"}, json);
  document->add({frame, costly, {}, &culprits}, json);
  document->add({frame, costly}, json);
  document->end(json);
  CHECK(nlohmann::json::parse(json)["frames"][0]["culprit_faults"] == 30);
  CHECK(nlohmann::json::parse(json)["frames"][1]["culprit_faults"] == 0);
}

TEST_CASE("closing() makes a document of all that was written so far, and is no longer than the end") {
  const WatchedGame game;
  for (const auto& format : kFrameFormats) {
    if (format.ending != ".json") continue;
    const auto frames = format.make();
    std::string document;
    frames->begin({game, "1.2.3"}, document);
    for (std::size_t count = 0; count < 3; ++count) {
      const auto cut = nlohmann::json::parse(document + std::string(frames->closing()));
      if (cut.contains("frames")) CHECK(cut["frames"].size() == count);
      if (cut.contains("frames")) CHECK(cut["summary"].is_null());
      frames->add({{}, {}}, document);
    }
    const std::size_t before = document.size();
    frames->end(document);
    CHECK(document.size() - before >= frames->closing().size());
    CHECK(nlohmann::json::accept(document));
  }
}

TEST_CASE("CSV, JSON and traces name the program behind which the thread waited for a processor") {
  GameFrame frame;
  frame.values.setWaitedBehind({.program = "=c,c\xff", .time = std::chrono::microseconds(8400)});
  std::string csv;
  const WatchedGame game;
  const auto rows = csvFrames();
  rows->begin({game, "1"}, csv);
  rows->add({frame, {}}, csv);
  CAPTURE(csv.substr(csv.find("8400000")));
  CHECK(csv.find(",8400000,,0,,\"'=c,c\\xff\",,1,") != std::string::npos);
  for (const auto& document : {jsonFrames(), traceFrames(), perfettoFrames()}) {
    std::string text;
    document->begin({game, "1"}, text);
    document->add({frame, {}}, text);
    CHECK(text.find("waiting_behind") != std::string::npos);
    CHECK(text.find("=c,c") != std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
  }
}
