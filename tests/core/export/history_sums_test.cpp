// The visible range as CSV: sums over its rows are the counters' differences at any resolution.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/export/history_csv.h"
#include "core/monitor/monitor.h"
#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::string field;
  for (std::istringstream in(line.substr(0, line.find('\r'))); std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

std::vector<Row> rowsOf(const History& history, MonotonicTime from, MonotonicTime to) {
  const std::vector<std::string> names = fieldsOf(historyCsvHeader());
  std::string csv;
  appendHistoryCsv(history, from, to, csv);
  std::vector<Row> rows;
  std::string line;
  for (std::istringstream in(csv); std::getline(in, line);) {
    const std::vector<std::string> fields = fieldsOf(line);
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = i < fields.size() ? fields[i] : "";
  }
  return rows;
}

std::uint64_t sum(const std::vector<Row>& rows, const std::string& column) {
  std::uint64_t all = 0;
  for (const Row& row : rows) {
    if (!row.at(column).empty()) all += std::stoull(row.at(column));
  }
  return all;
}

void add(ProcessSample& process, ProcessMetric metric, std::uint64_t more) {
  process.values.set(metric, process.values.get(metric).value_or(0) + more);
}

// Two samples per second of a process in which every counter grows now and then.
struct Work {
  explicit Work(int samples) {
    Hello hello = test::helloOf(scene.interval);
    hello.zeroingCost = ZeroingCost{.smallNsPerKib = 100, .largeNsPerKib = 50};
    monitor.ingest(hello);
    for (const ProcessMetric metric : {ProcessMetric::ZeroedBytes, ProcessMetric::FaultTime})
      scene.process(7).values.set(metric, 0);
    scene.process(7).values.set(ProcessMetric::CommitBytes, 4096);
    monitor.ingest(scene.now);
    for (int i = 1; i <= samples; ++i) {
      scene.tick(500ms + i % 7 * 1us);
      scene.fault(7, static_cast<std::uint64_t>(i * 37 % 11'003), i % 10 == 0 ? 25 : 0);
      add(scene.process(7), ProcessMetric::ZeroedBytes, static_cast<std::uint64_t>(i % 13) * 9'437'184);
      add(scene.process(7), ProcessMetric::FaultTime, static_cast<std::uint64_t>(i % 5) * 1'000'000);
      monitor.ingest(scene.now);
    }
  }
  [[nodiscard]] std::uint64_t total(ProcessMetric metric) const {
    return scene.now.processes.front().values.get(metric).value();
  }
  [[nodiscard]] std::vector<Row> rows() const { return rowsOf(monitor.history(), {0s}, scene.now.time); }

  test::Scene scene;
  Monitor monitor;
};

bool nearly(std::uint64_t value, std::uint64_t truth) {
  const std::uint64_t off = value > truth ? value - truth : truth - value;
  return off * 1'000'000 <= truth;
}

}  // namespace

TEST_CASE("A minute's visible range has a row for each sample, and its sums are the counters' differences") {
  const Work work(120);
  const std::vector<Row> rows = work.rows();
  CHECK(rows.size() == 121);
  CHECK(sum(rows, "samples") == 121);
  CHECK(sum(rows, "minor_faults") == work.total(ProcessMetric::MinorFaults));
  CHECK(sum(rows, "major_faults") == 300);
  CHECK(sum(rows, "zeroed_bytes") == work.total(ProcessMetric::ZeroedBytes));
  CHECK(sum(rows, "fault_ns") == work.total(ProcessMetric::FaultTime));
  CHECK(nearly(sum(rows, "zeroing_ns"), work.total(ProcessMetric::ZeroedBytes) / 1024 * 100));
  CHECK(rows.front().at("gap") == "1");
  CHECK(rows.front().at("minor_faults").empty());
  CHECK(rows.back().at("interval_ns") == std::to_string(500'000'000 + 120 % 7 * 1000));
}

TEST_CASE("The sums of the visible range also hold over buckets, each with its true interval") {
  const Work work(20'000);  // almost three hours: the oldest are minutes wide
  const std::vector<Row> rows = work.rows();
  CHECK(rows.size() < 3000);
  CHECK(sum(rows, "samples") == 20'001);
  const Nanoseconds all = work.scene.now.time - MonotonicTime{1h};
  CHECK(sum(rows, "interval_ns") == static_cast<std::uint64_t>(all.count()));
  CHECK(nearly(sum(rows, "minor_faults"), work.total(ProcessMetric::MinorFaults)));
  CHECK(sum(rows, "major_faults") == work.total(ProcessMetric::MajorFaults));
  CHECK(nearly(sum(rows, "zeroed_bytes"), work.total(ProcessMetric::ZeroedBytes)));
  CHECK(nearly(sum(rows, "fault_ns"), work.total(ProcessMetric::FaultTime)));
}

TEST_CASE("A process that lived for a part of a bucket adds its own counts, not its rate over the whole bucket") {
  test::Scene scene;
  Monitor monitor;
  monitor.ingest(test::helloOf(scene.interval));
  scene.process(1);
  monitor.ingest(scene.now);
  scene.tick();
  const ProcessKey key = scene.birth(7).key;
  for (int i = 0; i < 3; ++i) {
    scene.fault(7, 1000);
    monitor.ingest(scene.now);
    scene.tick();
  }
  scene.death(key);
  for (int i = 0; i < 8000; ++i) {
    monitor.ingest(scene.now);
    scene.tick();
  }
  std::vector<Row> rows = rowsOf(monitor.history(), {0s}, scene.now.time);
  std::erase_if(rows, [](const Row& row) { return row.at("pid") != "7"; });
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().at("minor_faults") == "3000");
  CHECK(rows.front().at("minor_faults_per_s") == "2000");
}

TEST_CASE("A sample too soon after its predecessor has differences but no rate") {
  Work work(20);
  work.scene.tick(7ms);
  work.scene.fault(7, 300);
  work.monitor.ingest(work.scene.now);
  CHECK(work.monitor.now().brief);
  CHECK_FALSE(work.monitor.now().perSecond(300).has_value());
  const std::vector<Row> rows = work.rows();
  CHECK(rows.back().at("minor_faults") == "300");
  CHECK(rows.back().at("minor_faults_per_s").empty());
  CHECK(rows.back().at("minor_faults_per_s_peak").empty());
  CHECK(sum(rows, "minor_faults") == work.total(ProcessMetric::MinorFaults));
  const auto buckets =
      work.monitor.history().process({7, 0}, ProcessMetric::MinorFaults, {0s}, work.scene.now.time, 1000);
  CHECK(std::ranges::max(buckets, {}, &Bucket::max).max < 5000);
}
