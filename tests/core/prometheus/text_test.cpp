#include "core/prometheus/text.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <sstream>

namespace faultline {
namespace {

using namespace std::chrono_literals;

Hello someHello() {
  Hello hello;
  hello.version = "1.2";
  hello.source = "linux";
  for (const ProcessMetric metric :
       {ProcessMetric::MinorFaults, ProcessMetric::FaultTime, ProcessMetric::ResidentBytes})
    hello.process[static_cast<std::size_t>(metric)] = exact("by \"counting\"\nand \\ more");
  hello.system[static_cast<std::size_t>(SystemMetric::Faults)] = exact("/proc/vmstat");
  return hello;
}

Moment someMoment() {
  Moment moment;
  moment.wallTime = {1'700'000'000'000'000'005ns};
  moment.system.set(SystemMetric::Faults, 77);
  for (const char* name : {"game", "bad\xff\"\n\\", "other"}) {
    ProcessRow row;
    row.key = {1, 1};
    row.name = name;
    row.values.set(ProcessMetric::ResidentBytes, 8192);
    row.deltas.set(ProcessMetric::MinorFaults, 10);
    row.deltas.set(ProcessMetric::FaultTime, 1'500'000'001);
    moment.rows.push_back(std::move(row));
  }
  return moment;
}

std::string pageOf(PrometheusFormat format) {
  ProgramTotals totals;
  for (int i = 0; i < 3; ++i) totals.add(someMoment());
  return prometheusText(someHello(), someMoment(), totals, format);
}

bool has(const std::string& page, const std::string& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("Prometheus' text has sums by program in base units, and a counter's name ends in _total") {
  const std::string page = pageOf(PrometheusFormat::Text);
  CHECK(has(page, "# TYPE faultline_minor_faults_total counter"));
  CHECK(has(page, "faultline_minor_faults_total{program=\"game\"} 20"));  // the first 10 are among the others
  CHECK(has(page, "faultline_minor_faults_total{program=\"other\"} 30"));
  CHECK(has(page, "faultline_fault_seconds_total{program=\"game\"} 3.000000002"));
  CHECK(has(page, "faultline_resident_bytes{program=\"game\"} 8192"));
  CHECK(has(page, "faultline_processes{program=\"game\"} 1"));
  CHECK(has(page, "faultline_machine_faults_total 77"));
  CHECK(has(page, "faultline_start_time_seconds 1700000000.000000005"));
  CHECK(has(page, "faultline_sweeps_total 3"));
  CHECK(has(page, "# TYPE faultline_quality_info gauge"));
  CHECK(page.find("# UNIT") == std::string::npos);
  CHECK(page.find("# EOF") == std::string::npos);
}

TEST_CASE("OpenMetrics names a family without its ending, tells units, and ends with a mark") {
  const std::string page = pageOf(PrometheusFormat::OpenMetrics);
  CHECK(has(page, "# TYPE faultline_fault_seconds counter"));
  CHECK(has(page, "# UNIT faultline_fault_seconds seconds"));
  CHECK(has(page, "faultline_fault_seconds_total{program=\"game\"} 3.000000002"));
  CHECK(has(page, "# TYPE faultline_quality info"));
  CHECK(page.ends_with("\n# EOF\n"));
}

TEST_CASE("No name of a program breaks a line or a label, and one that is called other is not taken for the others") {
  const std::string page = pageOf(PrometheusFormat::Text);
  CHECK(has(page, "faultline_minor_faults_total{program=\"bad\\\\xff\\\"\\n\\\\\"} 20"));
  CHECK(has(page, "faultline_minor_faults_total{program=\"other (a program)\"} 20"));
  std::set<std::string> series;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.starts_with(line.starts_with("#") ? "# " : "faultline_"));
    if (!line.starts_with("#")) CHECK(series.insert(line.substr(0, line.rfind(' '))).second);
  }
}

TEST_CASE("A number that is not available has no series, and its quality tells why") {
  Hello hello = someHello();
  hello.process[static_cast<std::size_t>(ProcessMetric::FaultTime)] = unavailable("Not permitted");
  ProgramTotals totals;
  totals.add(someMoment());
  const std::string page = prometheusText(hello, someMoment(), totals, PrometheusFormat::Text);
  CHECK(page.find("faultline_fault_seconds") == std::string::npos);
  CHECK(has(page, "faultline_quality_info{metric=\"fault_ns\",grade=\"unavailable\",how=\"Not permitted\"} 1"));
}

TEST_CASE("Durations of faults are a histogram whose counts add up and never fall, absent where none is measured") {
  Moment moment = someMoment();
  ProgramTotals totals;
  const auto page = [&](const Hello& hello, PrometheusFormat format) {
    return prometheusText(hello, moment, totals, format);
  };
  totals.add(moment);
  CHECK(page(someHello(), PrometheusFormat::Text).find("duration") == std::string::npos);
  FaultDurations& grown = moment.faultDurations.emplace();
  grown.faults[0] = 1;
  grown.faults[1] = 20;
  grown.faults[26] = 3;
  grown.faults[27] = 4;
  grown.ns = 50'000'000'001;
  for (int i = 0; i < 2; ++i) totals.add(moment);
  moment.faultDurations.reset();  // another collector begins anew
  totals.add(moment);
  for (const auto format : {PrometheusFormat::Text, PrometheusFormat::OpenMetrics}) {
    const std::string told = page(someHello(), format);
    CHECK(has(told, "# TYPE faultline_fault_duration_seconds histogram"));
    CHECK(has(told, "faultline_fault_duration_seconds_bucket{le=\"1.28e-07\"} 2"));
    CHECK(has(told, "faultline_fault_duration_seconds_bucket{le=\"2.56e-07\"} 42"));
    CHECK(has(told, "faultline_fault_duration_seconds_bucket{le=\"0.000131072\"} 42"));
    CHECK(has(told, "faultline_fault_duration_seconds_bucket{le=\"8.589934592\"} 48"));
    CHECK(has(told, "faultline_fault_duration_seconds_bucket{le=\"+Inf\"} 56"));
    CHECK(has(told, "faultline_fault_duration_seconds_sum 100.000000002"));
    CHECK(has(told, "faultline_fault_duration_seconds_count 56"));
    CHECK(told.find("waits included, exact: see fault_ns") != std::string::npos);
  }
  Hello hello = someHello();
  hello.quality(ProcessMetric::FaultTime) = unavailable("Not permitted");
  CHECK(page(hello, PrometheusFormat::Text).find("duration") == std::string::npos);
}

TEST_CASE("Pids of parents are not summed up") {
  Hello hello = someHello();
  hello.process[static_cast<std::size_t>(ProcessMetric::ParentPid)] = exact("/proc");
  Moment moment = someMoment();
  for (ProcessRow& row : moment.rows) row.values.set(ProcessMetric::ParentPid, 1);
  ProgramTotals totals;
  totals.add(moment);
  const std::string page = prometheusText(hello, moment, totals, PrometheusFormat::Text);
  CHECK(page.find("faultline_resident_bytes") != std::string::npos);
  CHECK(page.find("faultline_parent_pid") == std::string::npos);
}

TEST_CASE("A reader that names OpenMetrics gets it") {
  CHECK(formatAccepted("application/openmetrics-text;version=1.0.0,text/plain;q=0.5") == PrometheusFormat::OpenMetrics);
  CHECK(formatAccepted("text/plain") == PrometheusFormat::Text);
  CHECK(formatAccepted("") == PrometheusFormat::Text);
}

TEST_CASE("Sums by service stand beside those by program") {
  ProgramTotals totals;
  const std::string service = "ssh.service";
  ProgramTotals services(10, [&](const ProcessRow&) -> const std::string& { return service; });
  for (int i = 0; i < 3; ++i) {
    totals.add(someMoment());
    services.add(someMoment());
  }
  const ServiceSums sums{services, {{service, {70, 2}}}};
  const std::string page = prometheusText(someHello(), someMoment(), totals, PrometheusFormat::Text, &sums);
  CHECK(has(page, "faultline_service_minor_faults_total{service=\"ssh.service\"} 60"));
  CHECK(has(page, "faultline_service_processes{service=\"ssh.service\"} 3"));
  CHECK(has(page, "faultline_service_control_group_faults_total{service=\"ssh.service\"} 70"));
  CHECK(has(page, "faultline_service_control_group_major_faults_total{service=\"ssh.service\"} 2"));
  CHECK(page.find("faultline_service_spikes") == std::string::npos);
}

}  // namespace faultline
