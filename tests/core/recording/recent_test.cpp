#include "core/recording/recent.h"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "core/recording/recording.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

Snapshot at(Nanoseconds time, std::uint64_t processes = 3) {
  Snapshot snapshot;
  snapshot.time = {time};
  snapshot.wallTime = {time};
  for (std::uint32_t pid = 1; pid <= processes; ++pid) {
    ProcessSample& process = snapshot.processes.emplace_back();
    process.key = {pid, pid};
    process.name = "p";
    process.values.set(ProcessMetric::MinorFaults, static_cast<std::uint64_t>(time.count()) * pid);
  }
  return snapshot;
}

Hello helloOf(const std::string& version) {
  Hello hello;
  hello.version = version;
  return hello;
}

struct Saved {
  std::vector<Snapshot> snapshots;
  std::vector<std::string> versions;
  std::string remark;
};

Saved saved(const RecentRecording& recent, Nanoseconds time) {
  const MonotonicTime from = *recent.newest() - time;
  std::stringbuf bytes;
  RecentReader reader = recent.since(from);
  std::string text;
  while (reader.next(text)) continue;
  bytes.str(text);
  RecordingFile file = RecordingFile::read(bytes, "memory");
  Saved result;
  for (;;) {
    const auto event = file.next();
    REQUIRE(event);
    if (std::holds_alternative<RecordingEnd>(*event)) break;
    if (const auto* hello = std::get_if<Hello>(&*event)) result.versions.push_back(hello->version);
    if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) result.snapshots.push_back(**snapshot);
  }
  result.remark = file.remark();
  return result;
}

}  // namespace

TEST_CASE("The last minutes of a stream are saved as a whole recording, whose snapshots are as they came") {
  RecentRecording recent;
  recent.begin(helloOf("1"));
  for (int i = 0; i < 1000; ++i) recent.add(at(i * 500ms));
  CHECK(recent.length() == 999 * 500ms);
  const Saved last = saved(recent, 60s);
  CHECK(last.remark.empty());
  CHECK(last.versions == std::vector<std::string>{"1"});
  REQUIRE(last.snapshots.size() == 121);
  CHECK(last.snapshots.front() == at(879 * 500ms));
  CHECK(last.snapshots.back() == at(999 * 500ms));
  CHECK(saved(recent, 1h).snapshots.size() == 1000);
}

TEST_CASE("A collector that begins anew begins a stream in what is saved, and the past stays") {
  RecentRecording recent;
  recent.add(at(1s));
  CHECK(recent.length() == 0s);
  CHECK_FALSE(recent.newest());
  recent.begin(helloOf("1"));
  recent.add(at(2s));
  recent.begin(helloOf("2"));  // sends nothing
  recent.begin(helloOf("3"));
  recent.add(at(3s));
  const Saved all = saved(recent, 1h);
  CHECK(all.versions == std::vector<std::string>{"1", "3"});
  CHECK(all.snapshots.size() == 2);
  CHECK(recent.since(MonotonicTime{4s}).empty());
  CHECK(saved(recent, 500ms).versions == std::vector<std::string>{"3"});
  recent.clear();
  CHECK(recent.bytes() == 0);
  CHECK_FALSE(recent.newest());
}

TEST_CASE("Time and memory of what is kept are bounded") {
  RecentRecording recent({.time = 10min, .bytes = 200'000});
  recent.begin(helloOf("1"));
  for (int i = 0; i < 5000; ++i) recent.add(at(i * 500ms, 2));
  CHECK(recent.length() >= 10min);
  CHECK(recent.length() < 12min);
  for (int i = 5000; i < 6000; ++i) recent.add(at(i * 500ms, 500));
  CHECK(recent.bytes() < 200'000 + 120 * 10'000);
  CHECK(recent.length() < 10min);
  CHECK(saved(recent, 1h).remark.empty());
}

TEST_CASE("A question for the last time is told from other questions") {
  CHECK(recentAsked(recentQuestion(10min)) == 10min);
  CHECK(recentQuestion(1s) == "save 1000000000");
  for (const char* const other :
       {"4711", "4711 json", "save", "save ", "save x", "save -1", "save 1 2", "save 99999999999999999999"})
    CHECK_FALSE(recentAsked(other));
}

}  // namespace faultline
