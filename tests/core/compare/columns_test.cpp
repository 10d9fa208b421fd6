#include "core/compare/columns.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace faultline;

namespace {

ComparedNumber faults(double after, std::string_view verdict) {
  return {.name = "Page faults",
          .before = 200,
          .after = after,
          .range = std::pair(after - 210, after - 190),
          .confidence = 0.998,
          .verdict = verdict};
}

ComparedResult result(const std::string& file, const ComparedNumber& number, bool worse) {
  return {.file = file,
          .numbers = {number},
          .text = "report of " + file + "\n",
          .json = R"({"compare": {"worse": )" + std::string(worse ? "true" : "false") + R"(, "programs": []}})",
          .worse = worse};
}

std::vector<ComparedResult> twoResults() {
  std::vector<ComparedResult> results{result("b.json", faults(210, "worse"), true),
                                      result("=c,\x1b", faults(200, "no_difference_certain"), false)};
  results[1].numbers.push_back({.name = "Late", .before = 0, .after = 2.5, .confidence = 0.9999, .verdict = "worse"});
  return results;
}

}  // namespace

TEST_CASE("Several results are columns beside the base, with change, range and verdict, and the report of each below") {
  const std::string text = comparedAsText("a.json", twoResults());
  CHECK(text ==
        "             a.json  b.json                              =c,\\x1b\n"
        "Page faults     200  210, +5.0 % (+0.0 to +10.0), worse  200, +0.0 % (-5.0 to +5.0), no difference certain\n"
        "Late              0  –                                   2.5, worse, by 99.9 %\n"
        "In brackets: the change in percent, with a confidence of 99.8 %, of each file by itself.\n"
        "\nb.json against a.json:\nreport of b.json\n"
        "\n=c,\\x1b against a.json:\nreport of =c,\x1b\n");
}

TEST_CASE("A single result keeps its own report and document") {
  const auto results = std::vector{twoResults().front()};
  CHECK(comparedAsText("a.json", results) == results.front().text);
  CHECK(comparedAsJson("a.json", results) == results.front().json);
}

TEST_CASE("Several results are one document, which is worse if one of them is, and not judged if none is") {
  auto results = twoResults();
  const auto document = nlohmann::json::parse(comparedAsJson("a.json", results)).at("compare");
  CHECK(document.at("base") == "a.json");
  CHECK(document.at("worse") == true);
  CHECK(document.at("results").at(0).at("file") == "b.json");
  CHECK(document.at("results").at(1).at("worse") == false);
  for (ComparedResult& each : results) each = {.file = each.file, .json = R"({"compare": {"worse": null}})"};
  CHECK(nlohmann::json::parse(comparedAsJson("a.json", results)).at("compare").at("worse").is_null());
}

TEST_CASE("Columns are a table in Markdown") {
  const std::string text = comparedAsMarkdown("a|b", twoResults());
  INFO(text);
  CHECK(text.starts_with("|  | a\\|b | b.json | =c,\\x1b |\n|---|--:|---|---|\n| Page faults | 200 | 210, +5.0 % "));
  CHECK(text.find("|\n\nIn brackets: ") != std::string::npos);
}

TEST_CASE("CSV has a row of each number and file, with raw numbers, and no name that a spreadsheet computes") {
  CHECK(comparedAsCsv("a.json", twoResults()) ==
        "base,file,number,unit,before,after,change_low,change_high,confidence,verdict\r\n"
        "a.json,b.json,Page faults,count,200,210,0,20,0.998,worse\r\n"
        "a.json,\"'=c,\x1b\",Page faults,count,200,200,-10,10,0.998,no_difference_certain\r\n"
        "a.json,\"'=c,\x1b\",Late,count,0,2.5,,,0.9999,worse\r\n");
}

TEST_CASE("Amounts are whole where they are counts, and short") {
  CHECK(comparedAmount(16.5, Unit::Count) == "16.5");
  CHECK(comparedAmount(16, Unit::Count) == "16");
  CHECK(comparedAmount(1.5 * 1024 * 1024, Unit::Bytes) == "1.50 MiB");
  CHECK(comparedAmount(-3, Unit::Count) == "0");
}
