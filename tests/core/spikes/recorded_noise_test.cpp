// Recordings of idle machines, in which every spike is a false alarm, unless it is a start of more than 64 MB, as the
// tools of a build have. idle_hour: an untouched desktop with browser, editor, file manager and terminal, on a host
// that is busy otherwise; idle_desktop_then_builds: the same with Faultline's window open.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <ratio>

#include "core/monitor/monitor.h"
#include "core/recording/recording.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

struct Verdict {
  Nanoseconds length{0};
  std::size_t spikes = 0;
  std::size_t starts = 0;  // of those that began within a program's first seconds
};

Verdict judge(const std::filesystem::path& path) {
  Result<RecordingFile> file = RecordingFile::open(path);
  REQUIRE(file);
  Monitor monitor;
  for (;;) {
    Result<RecordingEvent> event = file->next();
    REQUIRE(event);
    if (const auto* hello = std::get_if<Hello>(&*event)) monitor.ingest(*hello);
    if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) monitor.ingest(**snapshot);
    if (std::holds_alternative<RecordingEnd>(*event)) break;
  }
  REQUIRE(monitor.snapshots() > 100);
  const auto starts = [](const Spike& spike) {
    return spike.start.sinceEpoch.count() < static_cast<std::int64_t>(spike.key.startTime) + Nanoseconds(2s).count();
  };
  return {.length = *monitor.history().newest() - *monitor.history().oldest(),
          .spikes = monitor.spikes().size(),
          .starts = static_cast<std::size_t>(std::ranges::count_if(monitor.spikes(), starts))};
}

}  // namespace

TEST_CASE("a recorded idle machine raises less than one spike an hour at the defaults") {
  Verdict all;
  for (const auto& entry : std::filesystem::directory_iterator(FAULTLINE_FIXTURES "/noise")) {
    const Verdict one = judge(entry.path());
    all.length += one.length;
    all.spikes += one.spikes;
    all.starts += one.starts;
  }
  const double hours = std::chrono::duration<double, std::ratio<3600>>(all.length).count();
  CHECK(all.length > 1h);
  CHECK(static_cast<double>(all.spikes - all.starts) <= hours);
  CHECK(all.starts <= 20);  // in two builds
}
