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

TEST_CASE("The guard tells where the baseline counted page faults in another way") {
  StatReport before = kBefore;
  const auto said = [&] {
    return guardTable(*guard(before, kBefore, 0, false)).find("in another way") != std::string::npos;
  };
  CHECK_FALSE(said());
  before.qualities[statFigure("faults")] = estimated("Counted by the kernel for a control group of the run's own");
  CHECK(said());
  CHECK(guard(before, kBefore, 0, false)->countedOtherwise ==
        "Counted by the kernel for a control group of the run's own");
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

namespace {

Guarded grownInParse() {
  StatReport before = kBefore;
  StatReport now = test::statOf({14'096, 14'096, 14'096});
  before.programs.front().callSites = test::sitesOf(6000, 4000, 200);
  now.programs.front().callSites = test::sitesOf(10'096, 4000);
  for (int run = 0; run < 3; ++run) {
    addProcesses(before.programs.front(), {{"cc1", 6000}, {"gcc", 4000}});
    addProcesses(now.programs.front(), {{"cc1", 10'096}, {"gcc", 4000}});
  }
  return *guard(before, now, 0.005, false);
}

}  // namespace

TEST_CASE("What grew is told by process and by call site, in each format") {
  const Guarded guarded = grownInParse();
  const std::string text =
      "cc1: Page faults: 6 000 to 10 096, 4 096 more (68 %; noise 0.000 %). 4 096 more page faults, all in parse "
      "(parse "
      "file.cpp:212), called by main (main.cpp:9): at least 16.0 MiB more touched";
  CHECK(test::withBlanks(whereGrown(guarded)) == text);
  CHECK(test::withBlanks(guardTable(guarded)).ends_with(text + ".\n"));
  CHECK(test::withBlanks(guardGithub(guarded))
            .starts_with("::error file=src/parse file.cpp,line=212,title=Faultline%3A"));
  const auto json = nlohmann::json::parse(guardJson(guarded)).at("guard");
  CHECK(json.at("call_sites").at(0).at("line") == 212);
  CHECK(json.at("processes").at(0).at("name") == "cc1");
}

TEST_CASE("Call sites that only one side has are explained, and asked for only if a figure grew") {
  StatReport now = test::statOf({14'096, 14'096, 14'096});
  now.programs.front().callSites = test::sitesOf(10'096, 4000);
  CHECK(guard(kBefore, now, 0.005, false)->noCallSites == "The baseline has none. Make it anew to learn them.");
  now.programs.front().callSites = CallSites{.whyNot = "No right."};
  CHECK(guardTable(*guard(kBefore, now, 0.005, false)).find("Which lines grew is not known. No right.\n") !=
        std::string::npos);
  now.programs.front().values = kBefore.programs.front().values;
  CHECK(guard(kBefore, now, 0.005, false)->noCallSites.empty());
}

// What the schema of SARIF 2.1.0 requires of the parts that are written.
TEST_CASE("SARIF names its rules, and each result a rule, a text and the line that grew") {
  const auto sarif = nlohmann::json::parse(guardSarif(grownInParse()));
  CHECK(sarif.at("version") == "2.1.0");
  CHECK(sarif.at("$schema").get<std::string>().starts_with("https://"));
  REQUIRE(sarif.at("runs").size() == 1);
  const auto& run = sarif.at("runs").at(0);
  const auto& driver = run.at("tool").at("driver");
  CHECK(driver.at("name") == "Faultline");
  REQUIRE(run.at("results").size() == 2);  // page faults and zeroed memory
  for (const auto& result : run.at("results")) {
    CHECK(driver.at("rules").at(result.at("ruleIndex").get<std::size_t>()).at("id") == result.at("ruleId"));
    CHECK(result.at("level") == "error");
    CHECK(!result.at("message").at("text").get<std::string>().empty());
    const auto& place = result.at("locations").at(0).at("physicalLocation");
    CHECK(place.at("artifactLocation").at("uri") == "src/parse%20file.cpp");
    CHECK(place.at("artifactLocation").at("uriBaseId") == "%SRCROOT%");
    CHECK(place.at("region").at("startLine") == 212);
  }
  const auto none = nlohmann::json::parse(guardSarif(*guard(kBefore, kBefore, 0, false)));
  CHECK(none.at("runs").at(0).at("results").empty());
  Guarded elsewhere = grownInParse();
  elsewhere.callSites.front().site.file = "/usr/src/a.cpp";
  const auto absolute = nlohmann::json::parse(guardSarif(elsewhere));
  const auto& artifact = absolute.at("runs").at(0).at("results").at(0).at("locations").at(0).at("physicalLocation");
  CHECK(artifact.at("artifactLocation") == nlohmann::json{{"uri", "file:///usr/src/a.cpp"}});
}
