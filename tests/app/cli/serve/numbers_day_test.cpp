#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "app/cli/serve/numbers.h"
#include "core/monitor/service_names.h"
#include "tests/core/spikes/scene.h"
#include "tests/support/heap_bytes.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kHour = 3600;
constexpr std::uint64_t kNames = 5000;
constexpr std::size_t kPrograms = 20;
constexpr std::uint32_t kDatabase = 100;

// Not UTF-8, with the signs that end labels and lines.
std::string hostileName(std::uint64_t number) {
  return "a\"\n\\\xff\x01 " + std::to_string(number % kNames) + std::string(40, '}');
}

std::string serviceOf(const ProcessKey& key) {
  return key.pid == kDatabase ? "database.service" : "run-u" + std::to_string(key.startTime) + ".service";
}

// Each second five processes are born and end between two samples, and one lives for some seconds. Every third second
// a daemon goes on as its own child, so that its family is as long as the day.
class Storm {
 public:
  Storm() { add("database", UINT64_MAX, 1).key.pid = kDatabase; }

  const Snapshot& next() {
    ++m_second;
    m_now.time = m_now.time + 1s;
    m_now.wallTime.sinceEpoch += 1s;
    m_now.exited.clear();
    for (Process& process : m_processes) fault(process.sample, process.sample.key.pid == kDatabase ? loadNow() : 3);
    std::erase_if(m_processes, [&](const Process& process) {
      if (process.ends <= m_second) m_now.exited.push_back(process.sample);
      return process.ends <= m_second;
    });
    for (int i = 0; i < 5; ++i) {
      m_now.exited.push_back(add(hostileName(m_born * 7), 0, kDatabase));
      m_processes.pop_back();
    }
    add(hostileName(m_second), m_second + 1 + m_second % 10, kDatabase);
    if (m_second % 3 == 0) m_daemon = add("daemon", m_second + 4, m_daemon).key.pid;
    m_now.processes.clear();
    for (const Process& process : m_processes) m_now.processes.push_back(process.sample);
    std::ranges::sort(m_now.processes, {}, &ProcessSample::key);
    std::ranges::sort(m_now.exited, {}, &ProcessSample::key);
    return m_now;
  }
  [[nodiscard]] std::uint64_t faults() const { return m_faults; }

 private:
  struct Process {
    ProcessSample sample;
    std::uint64_t ends = 0;  // the second
  };

  [[nodiscard]] std::uint64_t loadNow() const { return m_second % 300 == 0 ? 90'000 : 20; }  // a spike
  ProcessSample& add(const std::string& name, std::uint64_t ends, std::uint32_t parent) {
    const auto started = static_cast<std::uint64_t>(m_now.time.sinceEpoch.count());
    const ProcessKey key{1000 + static_cast<std::uint32_t>(++m_born % 4'000'000), started};
    ProcessSample& sample = m_processes.emplace_back(Process{{key, name, {}}, ends}).sample;
    sample.values.set(ProcessMetric::ParentPid, parent);
    sample.values.set(ProcessMetric::ResidentBytes, 1U << 20U);
    fault(sample, m_second == 0 ? 0 : 1 + m_born % 50);
    return sample;
  }
  void fault(ProcessSample& process, std::uint64_t faults) {
    m_faults += faults;
    faults += process.values.get(ProcessMetric::MinorFaults).value_or(0);
    process.values.set(ProcessMetric::MinorFaults, faults);
    process.values.set(ProcessMetric::MajorFaults, 0);
    process.values.set(ProcessMetric::FaultTime, faults * 1000);
  }

  Snapshot m_now{.time = {1h}, .wallTime = {480'000h}, .system = {}, .processes = {}, .exited = {}};
  std::vector<Process> m_processes;
  std::uint64_t m_second = 0;
  std::uint64_t m_born = 0;
  std::uint64_t m_faults = 0;
  std::uint32_t m_daemon = 1;
};

struct Series {
  std::size_t count = 0;
  std::uint64_t sum = 0;
};

Series seriesOf(const std::string& page, const std::string& name) {
  Series series;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name + "{")) continue;
    ++series.count;
    series.sum += std::stoull(line.substr(line.rfind(' ')));
  }
  return series;
}

}  // namespace

TEST_CASE("A day of short-lived processes with ever new names and services takes no more memory than its first hours",
          "[slow]") {
  if (test::heapBytes() == 0) SKIP("this allocator does not tell");
  const std::size_t before = test::heapBytes();
  Storm storm;
  ServiceNames services(serviceOf);
  Numbers numbers(kPrograms, true);
  const auto take = [&] {
    Snapshot now = storm.next();
    services(now);
    numbers.take(now);
  };
  numbers.begin([](Monitor& monitor) { monitor.ingest(test::helloOf(1s)); });
  take();
  const std::uint64_t uncounted = storm.faults();  // before the first sample
  std::size_t early = 0;
  for (std::uint64_t second = 2; second <= 24 * kHour; ++second) {
    take();
    if (second % (kHour / 6) != 0) continue;
    {
      const std::string page = numbers.text(PrometheusFormat::OpenMetrics);
      for (const std::string place : {"", "service_"}) {
        const Series series = seriesOf(page, "faultline_" + place + "minor_faults_total");
        CHECK(series.count <= kPrograms + 1);
        CHECK(series.sum == storm.faults() - uncounted);
      }
      CHECK(numbers.now(std::to_string(kDatabase)));
    }
    const std::size_t bytes = test::heapBytes() - before;
    INFO("hour " << second / kHour << ": " << bytes << " bytes, in the first ten at most " << early);
    if (second <= 10 * kHour)  // then the past fills its budget
      early = std::max(early, bytes);
    else CHECK(bytes < early + early / 8);
  }
}

}  // namespace faultline
