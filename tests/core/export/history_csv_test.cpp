#include "core/export/history_csv.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

Moment momentAt(Nanoseconds time, std::uint64_t delta, Gap gap) {
  Moment moment;
  moment.time = {time};
  moment.wallTime = {time + std::chrono::hours(24 * 365 * 50)};
  moment.interval = gap == Gap::First ? 0s : 1s;
  moment.gap = gap;
  ProcessRow row{{7, 3}, "a\"b,c", {}, {}, false};
  row.values.set(ProcessMetric::CommitBytes, 4096);
  if (gap == Gap::None) row.deltas.set(ProcessMetric::MinorFaults, delta);
  moment.rows.push_back(row);
  return moment;
}

}  // namespace

TEST_CASE("A range of history becomes one row per process and sample, with the name quoted") {
  History history;
  history.add(momentAt(10s, 0, Gap::First));
  history.add(momentAt(11s, 5, Gap::None));
  history.add(momentAt(12s, 8, Gap::None));
  std::string csv;
  appendHistoryCsv(history, {11s}, {12s}, csv);
  CHECK(csv ==
        "2019-12-20T00:00:11.000000000Z,11000000000,0,7,3,\"a\"\"b,c\",5,5,,,4096,,1000000000,1,0,5"
        ",,,,,,,,,,,,,,4096,,,,,,,,,,,,,,,,,,,,,,,,,,\r\n"
        "2019-12-20T00:00:12.000000000Z,12000000000,0,7,3,\"a\"\"b,c\",8,8,,,4096,,1000000000,1,0,8"
        ",,,,,,,,,,,,,,4096,,,,,,,,,,,,,,,,,,,,,,,,,,\r\n");
}

TEST_CASE("The columns of older versions keep their places, and the field table's other columns follow") {
  CHECK(historyCsvHeader().starts_with(
      "wall_time,monotonic_ns,duration_ns,pid,start_time,name,minor_faults_per_s,minor_faults_per_s_peak,"
      "major_faults_per_s,zeroed_bytes_per_s,commit_bytes,resident_bytes,interval_ns,samples,gap,minor_faults,"
      "major_faults,zeroed_bytes,zeroing_ns,fault_ns,major_fault_ns,major_faults_per_s_peak,zeroed_bytes_per_s_peak,"
      "zeroing_ns_per_s,zeroing_ns_per_s_peak,fault_ns_per_s,fault_ns_per_s_peak,major_fault_ns_per_s,"
      "major_fault_ns_per_s_peak,commit_bytes_peak,resident_bytes_peak,sampled_zeroing_ns,sampled_zeroing_ns_per_s,"
      "sampled_zeroing_ns_per_s_peak"));
}

TEST_CASE("Large and uneven rates are written as short as possible, without an exponent") {
  History history;
  history.add(momentAt(10s, 0, Gap::First));
  Moment moment = momentAt(13s, 3'000'000, Gap::None);
  moment.interval = 3s;
  history.add(moment);
  moment = momentAt(16s, 10, Gap::None);
  moment.interval = 3s;
  history.add(moment);
  std::string csv;
  appendHistoryCsv(history, {11s}, {16s}, csv);
  CHECK(csv.find(",1000000,1000000,,,4096,") != std::string::npos);
  CHECK(csv.find(",3.3333333,3.3333333,,,4096,") != std::string::npos);
}

TEST_CASE("Header and rows of the history's CSV have equally many fields") {
  History history;
  history.add(momentAt(10s, 0, Gap::First));
  history.add(momentAt(11s, 5, Gap::None));
  std::string csv;
  appendHistoryCsv(history, {0s}, {60s}, csv);
  const std::string header = historyCsvHeader();
  REQUIRE_FALSE(csv.empty());
  const std::string row = csv.substr(0, csv.find("\r\n"));
  CHECK(std::count(header.begin(), header.end(), ',') ==
        std::count(row.begin(), row.end(), ',') - 1);  // one in the name
}
