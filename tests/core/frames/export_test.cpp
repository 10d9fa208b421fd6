#include <catch2/catch_test_macros.hpp>
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
