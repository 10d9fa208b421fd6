// speedscope's format: the members that its schema requires, and the numbers of the stacks.
#include "core/culprits/speedscope.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <numeric>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

CallStack namedCalls(std::initializer_list<const char*> innermostFirst) {
  CallStack stack;
  for (const char* function : innermostFirst) stack.emplace_back().function = function;
  return stack;
}

// "loader main Level::load 16" for each sample. Requires what the schema requires.
std::vector<std::string> samplesIn(const Json& document, std::size_t profileNumber) {
  REQUIRE(document.at("$schema") == "https://www.speedscope.app/file-format-schema.json");
  const Json& frames = document.at("shared").at("frames");
  const Json& profile = document.at("profiles").at(profileNumber);
  REQUIRE(profile.at("type") == "sampled");
  REQUIRE(profile.at("name").is_string());
  const Json& weights = profile.at("weights");
  REQUIRE(profile.at("samples").size() == weights.size());
  REQUIRE(profile.at("startValue") == 0);
  const auto all = weights.get<std::vector<std::uint64_t>>();
  REQUIRE(profile.at("endValue") == std::accumulate(all.begin(), all.end(), std::uint64_t{0}));
  std::vector<std::string> samples;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    std::string words;
    for (const Json& frame : profile["samples"][i])
      words += frames.at(frame.get<std::size_t>()).at("name").get<std::string>() + " ";
    samples.push_back(words + weights[i].dump());
  }
  return samples;
}

}  // namespace

TEST_CASE("speedscope gets profiles of the faults, their kinds, pages and time, each stack below its thread") {
  CallTree tree;
  addStack(tree, "loader", namedCalls({"memset", "Level::load", "main"}), {64, 500ns, 8});
  addStack(tree, "loader", namedCalls({"Level::load", "main"}), {16, 100ns});
  addStack(tree, "audio \xFF\"", namedCalls({"main"}), {4});
  const Json document = Json::parse(speedscopeOf(tree, 4096));
  REQUIRE(document.at("profiles").size() == 5);
  CHECK(document["profiles"][0].at("unit") == "none");
  CHECK(samplesIn(document, 0) == std::vector<std::string>{"loader main Level::load memset 64",
                                                           "loader main Level::load 16", "audio \\xff\" main 4"});
  CHECK(samplesIn(document, 1) == std::vector<std::string>{"loader main Level::load memset 56",
                                                           "loader main Level::load 16", "audio \\xff\" main 4"});
  CHECK(samplesIn(document, 2) == std::vector<std::string>{"loader main Level::load memset 8"});
  CHECK(document["profiles"][3].at("unit") == "bytes");
  CHECK(document["profiles"][3].at("endValue") == 84 * 4096);
  CHECK(document["profiles"][4].at("unit") == "nanoseconds");
  CHECK(samplesIn(document, 4) ==
        std::vector<std::string>{"loader main Level::load memset 500", "loader main Level::load 100"});
  CHECK(document["shared"]["frames"].size() == 5);
}

TEST_CASE("speedscope gets no profile of times and pages that are not known, and an empty one of no faults") {
  CallTree tree;
  addStack(tree, "loader", namedCalls({"main"}), {3});
  const Json document = Json::parse(speedscopeOf(tree, 0));
  CHECK(document.at("profiles").size() == 1);
  CHECK(samplesIn(document, 0) == std::vector<std::string>{"loader main 3"});
  CHECK(samplesIn(Json::parse(speedscopeOf({}, 4096)), 0).empty());
}

}  // namespace faultline::test
