#include "app/tray/shell/exports.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("The one-line summary names the machine, the worst process and the biggest spike, on one line") {
  Monitor monitor;
  Hello hello;
  hello.machine.system = "Linux 9";
  hello.interval = std::chrono::seconds(1);
  for (Quality& q : hello.process) q.grade = Grade::Exact;
  monitor.ingest(hello);
  std::uint64_t faults = 0;
  for (int second = 0; second < 40; ++second) {
    faults += second == 39 ? 200'000 : 10;
    Snapshot s;
    s.time.sinceEpoch = std::chrono::seconds(1000 + second);
    ProcessSample process{{7, 3}, "evil\nname", {}};
    process.values.set(ProcessMetric::MinorFaults, faults);
    s.processes.push_back(process);
    monitor.ingest(s);
  }
  const QString line = summarize(monitor);
  CHECK(line.contains(QStringLiteral("Linux 9: 200 k minor faults/s")));
  CHECK(line.contains(QStringLiteral("evil\\nname (7) with 200 k/s")));
  CHECK(line.contains(QStringLiteral("biggest in evil\\nname")));
  CHECK_FALSE(line.contains(QLatin1Char('\n')));
}
