#include "core/stat/guard.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/stat/some_stat.h"

using namespace faultline;

namespace {

const StatReport kBefore = test::statOf({10'000, 10'000, 10'001});

}  // namespace

TEST_CASE("A program is worse if a count grew, and its times are not judged") {
  const auto alike = guard(kBefore, kBefore, 0.005, false);
  REQUIRE(alike.has_value());
  CHECK(!alike->has(StatVerdict::Worse));
  CHECK(alike->changes.size() == 2);  // faults, zeroed bytes
  const auto worse = guard(kBefore, test::statOf({10'100, 10'101, 10'100}), 0.005, false);
  CHECK(worse->has(StatVerdict::Worse));
  CHECK(guard(kBefore, kBefore, 0, true)->changes.size() == 3);
}

TEST_CASE("On another machine the guard says how it differs, and judges counts alone") {
  StatReport now = kBefore;
  now.place->machine.processor = "Xeon";
  now.place->allocator = "glibc 2.41";
  const auto guarded = guard(kBefore, now, 0, true);
  REQUIRE(guarded.has_value());
  CHECK(guarded->otherPlace ==
        std::vector<std::string>{"the processor is another (was EPYC)", "the allocator is another (was glibc 2.36)"});
  CHECK(guarded->changes.size() == 2);
  CHECK(guardTable(*guarded).find("The baseline was made elsewhere: the processor is another (was EPYC), the "
                                  "allocator is another (was glibc 2.36). Counts alone are judged") !=
        std::string::npos);
  now.place.reset();
  CHECK(guard(kBefore, now, 0, true)->otherPlace == std::vector<std::string>{"the machine is not known"});
}

TEST_CASE("A baseline of another program, or of pages of another size, is refused") {
  CHECK(guard(kBefore, test::statOf({1, 1, 1}, "lexer"), 0, false).error().message ==
        "The baseline is of another program (parser big.json), not of lexer. Name the program as there with -n, or "
        "make a baseline of this one with --save.");
  StatReport now = kBefore;
  now.place->pageBytes = 16384;
  CHECK(guard(kBefore, now, 0, false).error().message ==
        "The baseline is of a machine with pages of 4096 bytes, and this one has pages of 16384: their page faults "
        "cannot be compared. Make a baseline here with --save.");
}

TEST_CASE("A figure that only one side has is named") {
  StatReport now = kBefore;
  now.programs.front().values[statFigure("zeroed_bytes")].clear();
  const auto guarded = guard(kBefore, now, 0, false);
  CHECK(guarded->notJudged == std::vector<std::string>{"Zeroed"});
  CHECK(guardTable(*guarded).find("Zeroed is not judged: only one of the baseline and these runs has it.") !=
        std::string::npos);
}

TEST_CASE("The guard's verdict is told in each format") {
  const auto guarded = guard(test::statOf({10'000, 10'000, 10'000}, "a<b, c: d"),
                             test::statOf({10'200, 10'200, 10'200}, "a<b, c: d"), 0.005, false);
  REQUIRE(guarded.has_value());
  CHECK(test::withBlanks(guardTable(*guarded))
            .find("Page faults: 10 000 to 10 200, 200 more (2.0 %; noise 0.000 %): WORSE\n") != std::string::npos);
  CHECK(guardMarkdown(*guarded).starts_with("**a<b, c: d costs more memory work than its baseline. Page faults: "));
  const auto json = nlohmann::json::parse(guardJson(*guarded)).at("guard");
  CHECK(json.at("worse") == true);
  CHECK(json.at("changes").at(0).at("verdict") == "worse");
  const std::string junit = guardJunit(*guarded);
  CHECK(junit.find("<testsuite name=\"faultline guard\" tests=\"2\" failures=\"2\">") != std::string::npos);
  CHECK(junit.find("classname=\"a&lt;b, c: d\" name=\"Page faults\"") != std::string::npos);
  CHECK(test::withBlanks(guardGithub(*guarded))
            .starts_with(
                "::error title=Faultline%3A a<b%2C c%3A d::a<b, c: d: Page faults: 10 000 to 10 200, 200 more (2.0 "));
  CHECK(test::withBlanks(guardGithub(*guarded)).find("2.0 %25; noise") != std::string::npos);
}
