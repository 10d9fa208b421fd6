#include "core/export/json.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/core/export/moments.h"
#include "tests/core/python.h"

namespace faultline::test {
namespace {

std::string hex(const std::string& bytes) {
  std::ostringstream out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned>(static_cast<unsigned char>(c));
    out << std::hex << (byte >> 4U) << (byte & 0xFU);
  }
  return out.str();
}

}  // namespace

TEST_CASE("Python reads every name and every number of the JSON exactly") {
  std::string lines;
  for (int i = 0; i < 2; ++i) lines += toJson(nastyMoment()) + '\n';
  const auto printed = runPython("export/read_json.py", lines);
  if (!printed) SKIP("python3 is not installed");
  std::string expected;
  for (int moment = 0; moment < 2; ++moment) {
    for (const ProcessRow& row : nastyMoment().rows) {
      expected += hex(row.name) + " " + std::to_string(*row.values.get(ProcessMetric::MinorFaults)) + " None 10.5\n";
    }
  }
  CHECK(*printed == expected);
}

TEST_CASE("A moment in JSON has null for missing values, and the reason for missing rates") {
  Moment moment = nastyMoment();
  moment.gap = Gap::Suspended;
  moment.system.set(SystemMetric::Faults, 7);
  const auto json = nlohmann::json::parse(toJson(moment));
  CHECK(json["gap"] == "suspended");
  CHECK(json["wall_time"] == "2026-11-21T01:15:56.000000001Z");
  CHECK(json["system"]["system_faults"] == 7);
  CHECK(json["system"]["system_faults_per_s"].is_null());
  CHECK(json["system"]["free_bytes"].is_null());
  CHECK_FALSE(json["system"].contains("free_bytes_per_s"));
  CHECK(json["total"]["minor_faults_per_s"].is_null());
  CHECK(json["processes"].size() == nastyNames().size());
}

TEST_CASE("Hello in JSON names every metric with its quality") {
  Hello hello;
  hello.version = "1 \xff";
  hello.process[0] = {Grade::Estimated, "by guessing", "root", 32};
  const auto json = nlohmann::json::parse(toJson(hello));
  CHECK(json["version"] == "1 \\xff");
  CHECK(json["process_metrics"].size() == kProcessMetricCount);
  CHECK(json["system_metrics"].size() == kSystemMetricCount);
  CHECK(json["process_metrics"][0] == nlohmann::json{{"name", "minor_faults"},
                                                     {"title", "Minor faults"},
                                                     {"kind", "counter"},
                                                     {"unit", "count"},
                                                     {"grade", "estimated"},
                                                     {"how", "by guessing"},
                                                     {"enable", "root"},
                                                     {"wrap_bits", 32}});
}

}  // namespace faultline::test
