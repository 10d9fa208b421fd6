#include "core/stat/compare.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/stat/some_stat.h"

using namespace faultline;

namespace {

StatReport twoOf(const StatReport& first, const StatReport& second) {
  StatReport both = first;
  both.programs.push_back(second.programs.front());
  return both;
}

}  // namespace

TEST_CASE("Single programs are compared whatever their names, and which figure grew is told") {
  const auto compared =
      compareStats(test::statOf({100, 100, 100}, "old"), test::statOf({200, 200, 200}, "new"), 0.005, false);
  REQUIRE(compared.has_value());
  CHECK(compared->worse());
  const std::string text = comparedText(*compared);
  INFO(text);
  CHECK(text.starts_with("Page faults: 100 to 200, 100 more ("));
  CHECK(text.find(": WORSE\n") != std::string::npos);
  const auto numbers = comparedNumbers(*compared);
  REQUIRE_FALSE(numbers.empty());
  CHECK(numbers.front().name == "Page faults");
  CHECK(numbers.front().range == std::pair(100.0, 100.0));
  CHECK(numbers.front().verdict == "worse");
  const auto document = nlohmann::json::parse(comparedJson(*compared)).at("compare");
  CHECK(document.at("worse") == true);
  CHECK(document.at("programs").at(0).at("program") == "new");
  CHECK(document.at("programs").at(0).at("changes").at(0).at("after") == 200);
}

TEST_CASE("Programs of several are compared by their names, and what one file alone has is told") {
  const StatReport parser = test::statOf({100, 100, 100}, "parser");
  const auto compared = compareStats(twoOf(parser, test::statOf({50, 50, 50}, "lexer")),
                                     twoOf(test::statOf({7, 7, 7}, "linker"), parser), 0.005, false);
  REQUIRE(compared.has_value());
  CHECK_FALSE(compared->worse());
  REQUIRE(compared->programs.size() == 1);
  CHECK(compared->programs.front().name == "parser");
  CHECK(comparedText(*compared).ends_with("lexer is in the first file alone.\nlinker is in the second file alone.\n"));
}

TEST_CASE("Results of machines with pages of other sizes are not compared") {
  StatReport now = test::statOf({100, 100, 100});
  now.place->pageBytes = 16384;
  CHECK_FALSE(compareStats(test::statOf({100, 100, 100}), now, 0.005, false).has_value());
}
