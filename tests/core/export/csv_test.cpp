#include "core/export/csv.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text/utf8.h"
#include "tests/core/export/moments.h"
#include "tests/core/python.h"

namespace faultline::test {

TEST_CASE("The CSV header lists the field table, with rates beside totals") {
  CHECK(csvHeader() ==
        "wall_time,monotonic_ns,pid,start_time,name,minor_faults,minor_faults_per_s,major_faults,major_faults_per_s,"
        "commit_bytes,resident_bytes,touched_private_bytes,threads,zeroed_bytes,zeroed_bytes_per_s,"
        "zeroed_large_bytes,zeroed_large_bytes_per_s,zeroing_ns,zeroing_ns_per_s,sampled_zeroing_ns,"
        "sampled_zeroing_ns_per_s,fault_ns,fault_ns_per_s,major_fault_ns,major_fault_ns_per_s,timed_faults,"
        "timed_faults_per_s,timed_major_faults,timed_major_faults_per_s,parent_pid,exited,"
        "interval_ns,gap,born,child_minor_faults,child_minor_faults_per_s,child_major_faults,"
        "child_major_faults_per_s,swapped_bytes,fault_on_processor_ns,fault_on_processor_ns_per_s,"
        "fault_waiting_ns,fault_waiting_ns_per_s,fault_blocked_ns,fault_blocked_ns_per_s,fault_disk_ns,"
        "fault_disk_ns_per_s,fault_reclaim_ns,fault_reclaim_ns_per_s,fault_compaction_ns,fault_compaction_ns_per_s,"
        "freed_bytes,freed_bytes_per_s,teardown_ns,teardown_ns_per_s,discarded_bytes,discarded_bytes_per_s,"
        "reclaimed_bytes,reclaimed_bytes_per_s,mappings,service,large_zeroing_ns,large_zeroing_ns_per_s\r\n");
}

TEST_CASE("A CSV row has exact numbers, and empty fields for unavailable values") {
  std::string row;
  const Moment moment = nastyMoment();
  appendCsvRow(moment, moment.rows.front(), row);
  CHECK(row ==
        "2026-11-21T01:15:56.000000001Z,123456789012345,1,18446744073709551614,bash,18446744073709551614,10.5,,,,"
        "9007199254740993,,,,,,,,,,,,,,,,,,,,0,2000000000,none,0,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\r\n");
}

TEST_CASE("The service follows the metrics that are older than it") {
  Moment moment = nastyMoment();
  for (const auto& [service, field] : std::vector<std::pair<std::string, std::string>>{
           {"none", ",none,,\r\n"}, {"docker 3f2a", ",docker 3f2a,,\r\n"}, {"=a,b\xff", ",\"'=a,b\\xff\",,\r\n"}}) {
    moment.rows.front().service = service;
    std::string row;
    appendCsvRow(moment, moment.rows.front(), row);
    CHECK(row.ends_with(field));
  }
}

TEST_CASE("Names that a spreadsheet would take for formulas get an apostrophe") {
  for (const std::string name : {"=1+1", "-bash", "+x", "@SUM(A1)", "\tx", "\rx", "\nx", "'x"}) {
    CHECK(csvName(name) == "'" + name);
  }
  CHECK(csvName("a=b") == "a=b");
  CHECK(csvName("").empty());
  CHECK(csvName("bad\xff") == "bad\\xff");
}

TEST_CASE("Python's csv module reads every name back") {
  std::string csv = csvHeader();
  appendCsv(nastyMoment(), csv);
  const auto printed = runPython("export/read_csv.py", csv);
  if (!printed) SKIP("python3 is not installed");
  std::istringstream lines(*printed);
  std::string line;
  for (const std::string& raw : nastyNames()) {
    REQUIRE(std::getline(lines, line));
    const auto row = nlohmann::json::parse(line);
    auto name = row.at("name").get<std::string>();
    if (name.starts_with('\'')) name.erase(0, 1);
    CHECK(name == validUtf8(raw));
    CHECK(row.at("minor_faults_per_s") == "10.5");
    CHECK(row.at("commit_bytes").get<std::string>().empty());
    CHECK(row.at("resident_bytes") == "9007199254740993");
  }
  CHECK_FALSE(std::getline(lines, line));
}

}  // namespace faultline::test
