#include "core/query/now.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

namespace faultline {
namespace {

using namespace std::chrono_literals;

// A game that faulted 1000 times in half a second.
Monitor someMonitor() {
  Hello hello;
  hello.interval = 500ms;
  hello.process[static_cast<std::size_t>(ProcessMetric::MinorFaults)] = exact("/proc/PID/stat");
  hello.process[static_cast<std::size_t>(ProcessMetric::CommitBytes)] = estimated("by its mappings");
  Monitor monitor;
  monitor.ingest(hello);
  for (std::uint64_t n = 0; n < 2; ++n) {
    Snapshot snapshot;
    snapshot.time = {1h + n * 500ms};
    ProcessSample sample;
    sample.key = {7, 1};
    sample.name = "ga\nme";
    sample.values.set(ProcessMetric::MinorFaults, n * 1000);
    sample.values.set(ProcessMetric::CommitBytes, 1U << 20U);
    snapshot.processes.push_back(sample);
    monitor.ingest(snapshot);
  }
  return monitor;
}

}  // namespace

TEST_CASE("The numbers of a process at present are a line, or two of JSON") {
  const Monitor monitor = someMonitor();
  CHECK(answerNow(monitor, "7").value() == "ga\\nme: 2.00 k minor/s, ≈ 1.00 MiB commit\n");
  const std::string json = answerNow(monitor, "7 json").value();
  const std::size_t second = json.find('\n') + 1;
  CHECK(nlohmann::json::parse(json.substr(0, second)).contains("process_metrics"));
  CHECK(nlohmann::json::parse(json.substr(second)).at("processes").size() == 1);
}

TEST_CASE("A question that is no pid, or of no process, has a sentence in place of numbers") {
  const Monitor monitor = someMonitor();
  CHECK(answerNow(monitor, "8").error().message == "There is no process 8.");
  for (const char* question : {"", "x", "7x", "-7", " 7", "7 xml", "99999999999999999999", "7 json json"})
    CHECK(answerNow(monitor, question).error().message == "The question is no pid.");
  CHECK(answerNow(Monitor(), "7").error().message == "There is no process 7.");
}

}  // namespace faultline
