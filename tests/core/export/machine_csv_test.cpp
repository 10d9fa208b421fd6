#include "core/export/machine_csv.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

// The field below a column of the header.
std::string fieldOf(const std::string& row, const std::string& column) {
  const std::string header = machineCsvHeader();
  const auto begin = ("," + header).find("," + column);
  REQUIRE(begin != std::string::npos);
  auto at = row.begin();
  for (auto commas = std::count(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(begin), ','); commas > 0;
       --commas)
    at = std::find(at, row.end(), ',') + 1;
  return {at, std::find_if(at, row.end(), [](char c) { return c == ',' || c == '\r'; })};
}

}  // namespace

TEST_CASE(
    "A row of the machine has each system metric, with a rate if it is a counter, and nothing for what is absent") {
  Moment moment;
  moment.time = {std::chrono::seconds(7)};
  moment.interval = std::chrono::milliseconds(500);
  moment.gap = Gap::None;
  moment.system.set(SystemMetric::ZeroThreadCycles, 4'600'000);
  moment.systemDeltas.set(SystemMetric::ZeroThreadCycles, 2'300);
  moment.system.set(SystemMetric::ZeroedListBytes, 0);
  std::string row;
  appendMachineCsv(moment, row);
  CHECK(std::ranges::count(row, ',') == std::ranges::count(machineCsvHeader(), ','));
  CHECK(row.ends_with("\r\n"));
  CHECK(fieldOf(row, "monotonic_ns") == "7000000000");
  CHECK(fieldOf(row, "gap") == "none");
  CHECK(fieldOf(row, "zero_thread_cycles,") == "4600000");
  CHECK(fieldOf(row, "zero_thread_cycles_per_s") == "4600");
  CHECK(fieldOf(row, "zeroed_list_bytes") == "0");
  CHECK(fieldOf(row, "free_list_bytes").empty());
  CHECK(fieldOf(row, "demand_zero_faults_per_s").empty());
}
