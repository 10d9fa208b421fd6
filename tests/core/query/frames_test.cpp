#include "core/query/frames.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/frames/files/export_json.h"
#include "tests/core/frames/judged_frames.h"
#include "tests/support/some_samples.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

WatchedGame game() {
  WatchedGame game;
  game.name = "ga\xffme";
  game.faults = exact("counted");
  game.samples = estimated("every 16th");
  return game;
}

Culprits culpritsOf(std::uint64_t faults, const std::string& function) {
  FakeStackReader reader;
  reader.stacks[1] = {codeOf(function, 12), codeOf("main")};
  reader.stacks[2] = {codeOf("other", 3), codeOf("main")};
  std::vector<FaultSample> samples(2, sampleAt(1ms));
  samples[0].registers = {1};
  samples[0].weight = faults - 1;
  samples[1].registers = {2};
  samples[1].address += 4096;
  return findCulprits(samples, &reader);
}

// Frame n of ten takes n ms and has n faults; every other one is late by faults.
nlohmann::ordered_json answered(const Question& question, const std::string& remark = {}) {
  const WatchedGame watched = game();
  FrameAnswer answer(question);
  std::string out;
  answer.begin({watched, "1"}, out);
  for (int n = 1; n <= 10; ++n) {
    GameFrame frame = test::frame(n * 1ms, static_cast<std::uint64_t>(n));
    frame.number = static_cast<std::uint64_t>(n);
    frame.start = {n * 20ms};
    FrameVerdict verdict;
    verdict.late = verdict.lateByFaults = n % 2 == 0;
    verdict.explained = 1.0;
    const Culprits culprits = n % 2 == 0 ? culpritsOf(static_cast<std::uint64_t>(n), "load") : Culprits();
    answer.add({frame, verdict, "load", &culprits}, out);
  }
  answer.conclude("{\"kind\":\"keep\"}", "");
  CHECK(out.empty());
  auto json = answer.json(remark);
  REQUIRE(json);
  return *json;
}

std::vector<std::uint64_t> numbers(const nlohmann::ordered_json& answer) {
  std::vector<std::uint64_t> found;
  for (const auto& row : answer["frames"]) found.push_back(row["frame"]);
  return found;
}

}  // namespace

TEST_CASE("The worst frames come first, and at most as many as asked for") {
  const auto answer = answered({.ask = Ask::Frames, .file = "f", .top = 3}, "It is cut.");
  CHECK(numbers(answer) == std::vector<std::uint64_t>{10, 8, 6});
  CHECK(answer["others"]["count"] == 7);
  CHECK(answer["remark"] == "It is cut.");
  CHECK(answer["file"] == "f");
  CHECK(answer["quality"]["samples"]["grade"] == "estimated");
  CHECK(answer["quality"]["zeroed"]["grade"] == "unavailable");
  CHECK(answer["watched"]["name"] == "ga\\xffme");
  const auto& worst = answer["frames"][0];
  CHECK(worst["duration_ns"] == 10'000'000);
  CHECK(worst["since_start_ns"] == 180'000'000);
  CHECK(worst["verdict"] == "frame, late by page faults");
  CHECK(worst["zeroed_bytes"].is_null());
  CHECK(worst["ledger"]["running_ns"].is_null());  // nobody measured the thread's time
}

TEST_CASE("Frames are those that begin in the time that is asked for, since the first of all") {
  const Question question{.ask = Ask::Frames, .file = "f", .from = 40ms, .to = 80ms};
  auto found = numbers(answered(question));
  std::ranges::sort(found);
  CHECK(found == std::vector<std::uint64_t>{3, 4, 5});
  FrameAnswer none({.ask = Ask::Frames, .file = "f"});
  CHECK(none.json({}).error().message == "The recording has no frame.");
}

TEST_CASE("One frame has all its numbers, its culprits and its call stacks") {
  const auto answer = answered({.ask = Ask::Frame, .file = "f", .frame = 8});
  REQUIRE(numbers(answer) == std::vector<std::uint64_t>{8});
  const auto& sampled = answer["frames"][0]["sampled"];
  CHECK(sampled["sampled_faults"] == 8);
  CHECK(sampled["sampled_fault_ns"].is_null());
  CHECK(sampled["share_of"] == "faults");
  CHECK(sampled["by_culprit"]["culprits"][0]["name"] == "load (level.cpp:12)");
  CHECK(sampled["by_culprit"]["culprits"][0]["share"] == 7.0 / 8);
  CHECK(sampled["by_thread"]["culprits"][0]["thread"] == 77);
  CHECK(sampled["by_kind"]["culprits"][0]["name"] == "first touch");
  CHECK(sampled["stacks"][0]["calls"] == nlohmann::ordered_json({"main", "load"}));
  CHECK(sampled["stacks"][0]["faults"] == 7);
  CHECK(answer["frames"][0].contains("thread_minor_faults"));
}

TEST_CASE("Culprits are summed over frames, and what is not listed is among the others") {
  const auto answer = answered({.ask = Ask::Culprits, .file = "f", .top = 1});
  CHECK(answer["frames_hurt"] == 5);
  CHECK(answer["sampled_faults"] == 2 + 4 + 6 + 8 + 10);
  CHECK(answer["culprits"][0]["name"] == "load (level.cpp:12)");
  CHECK(answer["culprits"][0]["faults"] == 25);
  CHECK(answer["culprits"][0]["frames"] == 5);
  CHECK(answer["others"]["faults"] == 5);
  CHECK(answered({.ask = Ask::Culprits, .file = "f", .frame = 4})["sampled_faults"] == 4);
  CHECK(answered({.ask = Ask::Culprits, .file = "f", .by = "kind"})["by"] == "kind");
}

TEST_CASE("Beyond the most names the culprits share one sum") {
  CulpritSum sum("culprit", 2);
  for (const char* const name : {"a", "b", "c", "a", "d"}) sum.add(culpritsOf(11, name));
  const auto json = sum.json(10);
  REQUIRE(json["culprits"].size() == 2);
  CHECK(json["culprits"][0]["name"] == "a (level.cpp:12)");
  CHECK(json["culprits"][0]["faults"] == 20);
  std::uint64_t all = json["others"]["faults"];
  for (const auto& row : json["culprits"]) all += row["faults"].get<std::uint64_t>();
  CHECK(all == json["sampled_faults"]);
}

TEST_CASE("Without call stacks no code is known, but threads are") {
  CulpritSum code("");
  CulpritSum threads("thread");
  const std::vector<FaultSample> samples(3, sampleAt(1ms));
  for (CulpritSum* const sum : {&code, &threads}) sum->add(findCulprits(samples, nullptr));
  CHECK(code.json(5)["culprits"][0]["name"] == "unknown");
  CHECK(threads.json(5)["culprits"][0]["name"] == "loader");
  CHECK(stacksJson(findCulprits(samples, nullptr), 5).empty());
}

TEST_CASE("The summary of frames is that of the export, with the advice of the whole recording") {
  const auto answer = answered({.ask = Ask::Summary, .file = "f"});
  CHECK(answer["holds"] == "frames");
  CHECK(answer["summary"]["frames"] == 10);
  CHECK(answer["summary"]["late_by_faults"] == 5);
  CHECK(answer["advice"]["kind"] == "keep");
  CHECK(answer["delay"].is_null());
  CHECK(answer["watched"] == watchedJson(game()));
}
