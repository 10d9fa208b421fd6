#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/frames/formats.h"

using namespace faultline;

namespace {

nlohmann::json watchedJson(const WatchedGame& game) {
  const auto frames = jsonFrames();
  std::string document;
  frames->begin(game, document);
  frames->end(document);
  return nlohmann::json::parse(document)["watched"];
}

nlohmann::json watchedJson(const std::string& name) {
  WatchedGame game;
  game.name = name;
  return watchedJson(game);
}

}  // namespace

TEST_CASE("How good the numbers of frames are is in the document, one by one") {
  WatchedGame game;
  game.faults = {Grade::Exact, "counted", "", 64};
  game.zeroed = {Grade::Estimated, "a lower bound", "", 64};
  game.faultTime = {Grade::Unavailable, "no permission", "", 64};
  const auto watched = watchedJson(game);
  CHECK(watched["grade"] == "exact");
  CHECK(watched["how"] == "counted");
  CHECK(watched["zeroed"] == nlohmann::json{{"grade", "estimated"}, {"how", "a lower bound"}});
  CHECK(watched["fault_time"] == nlohmann::json{{"grade", "unavailable"}, {"how", "no permission"}});
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
  frames->begin({}, document);
  for (int i = 1; i <= 1000; ++i) {
    GameFrame frame;
    frame.duration = std::chrono::milliseconds(i % 100 == 0 ? 30 : 10);
    frame.minorFaults = 2;
    FrameVerdict verdict;
    verdict.late = verdict.lateByFaults = i % 100 == 0;
    frames->add({frame, verdict}, document);
  }
  frames->end(document);
  const auto summary = nlohmann::json::parse(document)["summary"];
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
  empty->begin({}, none);
  empty->end(none);
  CHECK(nlohmann::json::parse(none)["summary"]["p50_ns"].is_null());
}
