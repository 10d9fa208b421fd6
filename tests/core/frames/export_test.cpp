#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/frames/formats.h"

using namespace faultline;

namespace {

nlohmann::json watchedJson(const std::string& name) {
  WatchedGame game;
  game.name = name;
  const auto frames = jsonFrames();
  std::string document;
  frames->begin(game, document);
  frames->end(document);
  return nlohmann::json::parse(document)["watched"];
}

}  // namespace

TEST_CASE("A game whose name is no UTF-8 is told from one that looks the same") {
  const auto odd = watchedJson("game\xff");
  const auto plain = watchedJson("game\\xff");
  CHECK(odd["name"] == plain["name"]);
  CHECK(odd["name_hex"] == "67616d65ff");
  CHECK_FALSE(plain.contains("name_hex"));
}
