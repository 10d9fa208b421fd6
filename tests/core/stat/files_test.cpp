#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/stat/text.h"
#include "tests/core/stat/some_stat.h"

using namespace faultline;

TEST_CASE("What stat writes as JSON is read back as it was") {
  StatReport report = test::statOf({1000, 1001, 1003});
  report.programs.push_back({.name = "other", .command = {"a b", "c"}, .failed = 1, .peakAtMost = true});
  report.programs.back().values[statFigure("peak_bytes")] = {4096};
  report.interrupted = true;
  report.programs.front().callSites = test::sitesOf(96, 4);
  report.programs.front().callSites->sites.front().program = "worker";
  report.programs.front().callSites->others = 3;
  report.programs.front().callSites->passed = 2;
  report.programs.back().callSites = CallSites{.whyNot = "No right."};
  addProcesses(report.programs.front(), {{"parser", 900}});
  addProcesses(report.programs.front(), {{"parser", 901}, {"sh", 100}});
  const auto read = parseStat(statJson(report));
  REQUIRE(read.has_value());
  CHECK(*read == report);
  report.place.reset();
  CHECK(*parseStat(statJson(report)) == report);
}

TEST_CASE("Unknown figures are null in JSON, empty in CSV and left out for dashboards, never zero") {
  const StatReport report = test::statOf({1000, 1003, 1001});
  const auto json = nlohmann::json::parse(statJson(report)).at("stat");
  const auto& figures = json.at("programs").at(0).at("figures");
  CHECK(figures.at("freed_bytes").is_null());
  CHECK(figures.at("faults") ==
        nlohmann::json{{"median", 1001}, {"least", 1000}, {"most", 1003}, {"values", {1000, 1003, 1001}}});
  CHECK(json.at("qualities").at("freed_bytes").at("enable") == "Grant it.");

  CHECK(statCsv(test::statOf({1}, "=a,b")).find("\r\n\"'=a,b\",faults,") != std::string::npos);
  const std::string csv = statCsv(report);
  CHECK(csv.starts_with("program,figure,unit,grade,runs,median,least,most\r\n"));
  CHECK(csv.find("parser big.json,faults,count,exact,3,1001,1000,1003\r\n") != std::string::npos);
  CHECK(csv.find("parser big.json,wall_ns,ns,exact,3,1001000000.5,1000000000.5,1003000000.5\r\n") != std::string::npos);
  CHECK(csv.find("parser big.json,freed_bytes,bytes,unavailable,0,,,\r\n") != std::string::npos);

  const auto bencher = nlohmann::json::parse(statBencher(report));
  CHECK(bencher.at("parser big.json").at("faults") ==
        nlohmann::json{{"value", 1001}, {"lower_value", 1000}, {"upper_value", 1003}});
  CHECK(bencher.at("parser big.json").contains("zeroed-bytes"));
  CHECK(!bencher.at("parser big.json").contains("freed-bytes"));

  const auto smaller = nlohmann::json::parse(statSmallerIsBetter(report));
  CHECK(smaller.size() == 3);
  CHECK(smaller.at(1) ==
        nlohmann::json{{"name", "parser big.json: Page faults"}, {"unit", "count"}, {"value", 1001}, {"range", "3"}});
}

TEST_CASE("A file that is no result of stat is refused, and a later version by its number") {
  constexpr const char* kOther = "is no result of 'faultline-cli stat --format json' or 'guard --save'.";
  for (const char* const text : {"", "{", "[]", "{\"stat\": 1}", "{\"stat\": {\"version\": 1}}"})
    CHECK(parseStat(text).error().message == kOther);
  std::string text = statJson(test::statOf({1, 2}));
  text.replace(text.find("\"version\": 1"), 12, "\"version\": 2");
  CHECK(parseStat(text).error().message == "is of version 2 of the format, and this program reads version 1.");
  StatReport none = test::statOf({1});
  none.programs.clear();
  CHECK(parseStat(statJson(none)).error().message == "holds no program.");
}

TEST_CASE("A table has the figures that are known, with their spread, and says why others are not") {
  const std::string table = test::withBlanks(statTable(test::statOf({1000, 1010, 1000})));
  INFO(table);
  CHECK(table.starts_with("parser big.json: 3 runs\n"));
  CHECK(table.find("Page faults") != std::string::npos);
  CHECK(table.find("1.00 %") != std::string::npos);
  CHECK(table.find("≈ 3.91 MiB") != std::string::npos);
  CHECK(table.find("  Zeroed is estimated: Seen from outside.\n") != std::string::npos);
  CHECK(table.find("Freed and Giving back are unavailable: No grant. To enable it: Grant it.\n") != std::string::npos);
}

TEST_CASE("Programs are compared with the first, by what differs beyond noise") {
  StatReport report = test::statOf({1000, 1000, 1000}, "old");
  report.programs.push_back(test::statOf({1200, 1200, 1200}, "new|").programs.front());
  report.programs.push_back(test::statOf({1000, 1000, 1000}, "same").programs.front());
  const std::string table = test::withBlanks(statTable(report));
  INFO(table);
  CHECK(table.starts_with("3 programs, 3 runs of each, in random order; medians\n"));
  CHECK(table.find("new| against old: Wall time: 1.00 s to 1.20 s, 200 ms more (20 %; noise 0.000 %); Page faults: ") !=
        std::string::npos);
  CHECK(table.find("same against old: no figure differs by more than its noise.\n") != std::string::npos);
  CHECK(statMarkdown(report).find("| new\\| | 1.20 s |") != std::string::npos);
}
