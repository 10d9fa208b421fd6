// The cost of a refresh of the process table: 300 processes, of which some change, some start and some end. Goal: under
// 1 ms for the model. Painting, of the visible rows only, is measured separately.
#include "app/tray/table/table.h"

#include <QApplication>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "app/tray/processes/filter.h"

namespace {

using namespace faultline;

constexpr std::uint32_t kProcesses = 300;
constexpr int kRounds = 200;
constexpr int kSettleEvery = 4;  // refreshes; every 2 s at 2 Hz
constexpr double kGoalMs = 1;

struct Load {
  const char* name;
  std::uint32_t active;    // processes that fault in every interval
  std::uint32_t replaced;  // processes that end and start in every interval
};

Snapshot snapshotAt(std::uint64_t tick, const Load& load) {
  Snapshot s;
  s.time.sinceEpoch = std::chrono::hours(1) + tick * std::chrono::milliseconds(500);
  for (std::uint32_t p = 0; p < kProcesses; ++p) {
    const std::uint64_t generation = p < load.replaced ? tick : 0;
    ProcessSample process{{100 + p, 5 + generation}, "process " + std::to_string(p), {}};
    const std::uint64_t faults = p < load.active ? tick * (p + 1) * 10 + (tick * 2654435761U >> 7U) % 90 : p;
    process.values.set(ProcessMetric::MinorFaults, faults);
    process.values.set(ProcessMetric::MajorFaults, std::uint64_t{0});
    process.values.set(ProcessMetric::ResidentBytes, (faults + 1) * 4096);
    process.values.set(ProcessMetric::CommitBytes, std::uint64_t{256} << 20U);
    s.processes.push_back(process);
  }
  return s;
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Work>
double milliseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void run(const Load& load) {
  Monitor monitor;
  Hello hello;
  hello.interval = std::chrono::milliseconds(500);
  for (Quality& q : hello.process) q.grade = Grade::Exact;
  monitor.ingest(hello);
  Pins pins;
  ProcessModel model(monitor, pins);
  ProcessFilter rows(model);
  ProcessTable table(monitor, pins);
  table.resize(1180, 300);
  table.show();
  std::vector<double> modelMs;
  std::vector<double> tableMs;
  for (int round = 0; round < kRounds; ++round) {
    monitor.ingest(snapshotAt(static_cast<std::uint64_t>(round), load));
    modelMs.push_back(milliseconds([&] {
      model.refresh();
      if (round % kSettleEvery == 0) rows.settle();
    }));
    tableMs.push_back(milliseconds([&] {
      table.refresh();
      QApplication::processEvents();
    }));
  }
  const double ms = medianOf(modelMs);
  std::printf("table, %u processes, %s: model %.3f ms (goal under %.0f ms: %s), with painting %.2f ms\n", kProcesses,
              load.name, ms, kGoalMs, ms < kGoalMs ? "reached" : "NOT REACHED", medianOf(tableMs));
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication qt(argc, argv);
  run({"5 active", 5, 0});
  run({"all active", kProcesses, 0});
  run({"40 active, 20 replaced", 40, 20});
  return 0;
}
