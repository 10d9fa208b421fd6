#include "core/trial/run_memory.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/trial/text.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kTime = runFigure(ProcessMetric::FaultTime);
constexpr std::size_t kZeroed = runFigure(ProcessMetric::ZeroedBytes);

RunMemory memory(double inFaults, double zeroed) {
  RunMemory run;
  run[kTime] = inFaults;
  run[kZeroed] = zeroed;
  return run;
}

TrialReport memoryReportOf(std::vector<RunMemory> plain, std::vector<RunMemory> tried) {
  const std::vector<TrialSample> samples(8, {.wall = 10ms, .processor = 10ms, .minorFaults = 500});
  TrialReport report{.command = {"prog"}, .plain = samples, .plainMemory = std::move(plain), .rounds = 8};
  report.tried.push_back({.remedy = {.name = "keep", .what = "keeps"}, .samples = samples, .memory = std::move(tried)});
  report.memoryQuality.emplace().fill(exact("counted"));
  return report;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("The memory of a run is that of its processes, without the process that started them") {
  ProcessValues family;
  family.set(ProcessMetric::FaultTime, 900);
  family.set(ProcessMetric::ZeroedBytes, 8192);
  ProcessValues own;
  own.set(ProcessMetric::FaultTime, 100);
  const RunMemory run = runMemory(family, own);
  CHECK(run[kTime] == 800);
  CHECK(run[kZeroed] == 8192);
  CHECK(!run[runFigure(ProcessMetric::FreedBytes)]);
}

TEST_CASE("Figures of watched runs are medians, and their gains pair the runs of a round") {
  std::vector<RunMemory> plain;
  std::vector<RunMemory> tried;
  for (int i = 0; i < 6; ++i) {
    plain.push_back(memory(1e6 * (1 + i), 1 << 20));
    tried.push_back(memory(0.25e6 * (1 + i), 1 << 18));
  }
  CHECK(memoryMedians(plain)[kTime] == 4e6);
  const RunMemoryGains saved = memoryGains(plain, tried, 0.95);
  REQUIRE(saved[kTime]);
  CHECK(saved[kTime]->low == 0.75);
  CHECK(saved[kTime]->high == 0.75);
  CHECK(!saved[runFigure(ProcessMetric::TeardownTime)]);
  plain.pop_back();
  CHECK(!memoryGains(plain, tried, 0.95)[kTime]);  // five are too few
}

TEST_CASE("The report contains the memory of whole runs, with its quality, and no column of the unknown") {
  TrialReport report = memoryReportOf({memory(2e6, 64 << 20)}, {memory(1e6, 16 << 20)});
  (*report.memoryQuality)[runFigure(ProcessMetric::FreedBytes)] = unavailable("No tracepoint", "Update Linux.");
  (*report.memoryQuality)[runFigure(ProcessMetric::TeardownTime)] = unavailable("No tracepoint", "Update Linux.");
  const std::string table = trialTable(report);
  CHECK(contains(table, "in faults"));
  CHECK(contains(table, "2.00 ms  64.0 MiB"));
  CHECK(!contains(table, "freed  "));
  CHECK(contains(table, "Freed and Giving back are unavailable: No tracepoint. To enable it: Update Linux.\n"));
  CHECK(contains(table, "medians of one more round, in"));
  const auto json = nlohmann::json::parse(trialJson(report))["try"];
  CHECK(json["plain"]["medians"]["memory"]["fault_ns"] == 2e6);
  CHECK(json["plain"]["medians"]["memory"]["freed_bytes"].is_null());
  CHECK(json["remedies"][0]["watched_runs"][0]["zeroed_bytes"] == 16 << 20);
  CHECK(json["memory"]["freed_bytes"]["grade"] == "unavailable");
}

TEST_CASE("Where no collector measures runs, the time in faults is estimated by their price") {
  TrialReport report = memoryReportOf({}, {});
  report.memoryQuality->fill(unavailable("No permission"));
  (*report.memoryQuality)[kTime] = estimated("by price");
  report.nsPerFault = 1000;
  const std::string table = trialTable(report);
  CHECK(contains(table, "≈ 500 µs"));
  CHECK(contains(table, "Fault time is estimated: by price.\n"));
  CHECK(contains(table, "Zeroed, Zeroing time, Freed and Giving back are unavailable: No permission.\n"));
}

TEST_CASE("Watched rounds that are not complete are dropped") {
  TrialReport report = memoryReportOf({memory(1, 1), memory(1, 1)}, {memory(1, 1)});
  report.dropIncompleteRounds();
  CHECK(report.plainMemory.size() == 1);
}
