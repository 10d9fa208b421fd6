// Redrawing all plots over an hour of 10 Hz data, with eight pinned processes. Goal: under 4 ms for any number of
// samples.
#include <QApplication>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "app/tray/plots/stack.h"

namespace {

using namespace faultline;

constexpr int kProcesses = 8;
constexpr int kRounds = 60;
constexpr double kGoalMs = 4;

Snapshot snapshotAt(std::uint64_t tick, Nanoseconds interval) {
  Snapshot s;
  s.time.sinceEpoch = std::chrono::hours(1) + tick * interval;
  s.wallTime.sinceEpoch = std::chrono::hours(500'000) + tick * interval;
  s.system.set(SystemMetric::CommittedBytes, (8ULL << 30U) + (tick % 977) * 1'000'000);
  for (std::uint32_t p = 0; p < kProcesses; ++p) {
    ProcessSample process{{100 + p, 5}, "process " + std::to_string(p), {}};
    process.values.set(ProcessMetric::MinorFaults, tick * 100 * (p + 1) + (tick * 2654435761U >> 7U) % 90);
    process.values.set(ProcessMetric::MajorFaults, tick / 50);
    process.values.set(ProcessMetric::CommitBytes, (256ULL << 20U) * (p + 1) + ((tick * 40503U) % 4096) * 4096);
    process.values.set(ProcessMetric::ResidentBytes, 128ULL << 20U);
    s.processes.push_back(process);
  }
  return s;
}

double medianRedraw(std::uint64_t samples, Nanoseconds interval) {
  Monitor monitor;
  Hello hello;
  hello.interval = interval;
  for (Quality& q : hello.process) q.grade = Grade::Exact;
  monitor.ingest(hello);
  for (std::uint64_t tick = 0; tick < samples; ++tick) monitor.ingest(snapshotAt(tick, interval));

  Pins pins;
  TimeView view;
  PlotStack plots(monitor, pins, view);
  plots.resize(1000, 460);
  plots.show();
  view.setData(*monitor.history().oldest(), *monitor.history().newest());
  view.showAll();
  for (std::uint32_t p = 0; p < kProcesses; ++p) pins.toggle({100 + p, 5});
  plots.rebuildNow();

  std::vector<double> ms;
  for (int i = 0; i < kRounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    plots.refresh();
    plots.rebuildNow();
    plots.repaint();  // into the backing store
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(ms.begin(), ms.end());
  return ms[ms.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication qt(argc, argv);
  const double hour = medianRedraw(36'000, std::chrono::milliseconds(100));
  const double tenth = medianRedraw(3'600, std::chrono::seconds(1));
  std::printf("plots, 1000 x 460, eight pinned, one hour: %.2f ms at 10 Hz (36 000 samples), %.2f ms at 1 Hz (3 600)\n",
              hour, tenth);
  std::printf("goal under %.0f ms at 10 Hz: %s\n", kGoalMs, hour < kGoalMs ? "reached" : "NOT REACHED");
  return 0;
}
