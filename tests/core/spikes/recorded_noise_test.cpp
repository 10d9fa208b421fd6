// Recordings of idle machines, in which every spike is a false alarm. idle_hour: an untouched desktop with browser,
// editor, file manager and terminal, on a host that is busy otherwise; idle_desktop_then_builds: the same with
// Faultline's window open.
#include <catch2/catch_test_macros.hpp>
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
  return {*monitor.history().newest() - *monitor.history().oldest(), monitor.spikes().size()};
}

}  // namespace

TEST_CASE("a recorded idle machine raises less than one spike an hour at the defaults") {
  Verdict all;
  for (const auto& entry : std::filesystem::directory_iterator(FAULTLINE_FIXTURES "/noise")) {
    const Verdict one = judge(entry.path());
    all.length += one.length;
    all.spikes += one.spikes;
  }
  const double hours = std::chrono::duration<double, std::ratio<3600>>(all.length).count();
  CHECK(all.length > 1h);
  CHECK(static_cast<double>(all.spikes) <= hours);
}
