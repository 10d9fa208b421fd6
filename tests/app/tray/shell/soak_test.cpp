// More than a day of snapshots through Monitor and the hidden icon, while the resident memory is measured.
#include <QFile>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/shell/icon/painter.h"
#include "core/monitor/monitor.h"
#include "tests/app/tray/fake_collector.h"

using namespace faultline;

namespace {

constexpr unsigned kSnapshots = 200'000;
constexpr unsigned kProcesses = 20;
constexpr qint64 kAllowedGrowth = 6 << 20;

qint64 residentBytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').at(1).toLongLong() * 4096;
}

// Some processes come and go, and bursts make spikes, so that everything that could grow would do so.
void advance(Snapshot& snapshot, unsigned index) {
  snapshot.time = MonotonicTime{std::chrono::seconds(1000) + index * std::chrono::milliseconds(500)};
  snapshot.wallTime = WallTime{std::chrono::hours(500'000) + index * std::chrono::milliseconds(500)};
  for (unsigned i = 0; i < kProcesses; ++i) {
    ProcessSample& sample = snapshot.processes[i];
    if (i >= kProcesses / 2 && index % 500 == i) {
      sample.key.startTime = index;
      sample.values.set(ProcessMetric::MinorFaults, 0);
    }
    const std::uint64_t before = sample.values.get(ProcessMetric::MinorFaults).value_or(0);
    const std::uint64_t burst = (index + i * 37) % 1000 == 0 ? 100'000 : 0;
    sample.values.set(ProcessMetric::MinorFaults, before + (index * 7 + i * 13) % 50 + burst);
    sample.values.set(ProcessMetric::CommitBytes, std::uint64_t{index % 97} << 16U);
  }
}

}  // namespace

TEST_CASE("200 000 snapshots through monitor and hidden icon do not grow the memory", "[.soak]") {
  MonitorOptions options;
  options.history.budgetBytes = std::size_t{8}
                                << 20U;  // full after a fraction of the run: afterwards memory must not grow
  Monitor monitor(options);
  monitor.ingest(testHello());
  Snapshot snapshot = testSnapshot(0, kProcesses);
  IconState state;
  state.mode = IconMode::Live;
  qint64 warm = 0;
  for (unsigned index = 1; index <= kSnapshots; ++index) {
    advance(snapshot, index);
    monitor.ingest(snapshot);
    const MonotonicTime now = snapshot.time;
    state.heights =
        iconHeights(monitor.history().total(ProcessMetric::MinorFaults, now - std::chrono::minutes(1), now, 240), now);
    state.spike = !monitor.spikesNow().empty();
    const QIcon icon = makeIcon(state);
    REQUIRE_FALSE(icon.pixmap(QSize(22, 22), 1.0).isNull());
    if (index == kSnapshots / 2) warm = residentBytes();
  }
  REQUIRE(warm > 0);
  INFO("resident " << warm / 1024 << " KiB half-way, " << residentBytes() / 1024 << " KiB at the end");
  CHECK(residentBytes() - warm < kAllowedGrowth);
  CHECK(monitor.snapshots() == kSnapshots);
  CHECK_FALSE(monitor.spikes().empty());
}
