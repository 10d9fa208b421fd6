#include "core/watch/sweep_client.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "core/stream/encoder.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

const SweepClient::Time kSweepBegin{};

struct SweepOwner final : SweepClientOwner {
  std::vector<std::vector<std::string>> started;
  bool runs = false;
  bool refuses = false;
  int hellos = 0;
  int snapshots = 0;
  int troubles = 0;
  std::function<void()> onSnapshot;

  Result<void> startCollector(const std::vector<std::string>& arguments) override {
    if (refuses) return fail("It is nowhere.");
    started.push_back(arguments);
    runs = true;
    return {};
  }
  void endCollector() override { runs = false; }
  void take(const StreamEvent& event) override {
    if (std::holds_alternative<Hello>(event)) ++hellos;
    if (std::holds_alternative<const Snapshot*>(event)) {
      ++snapshots;
      if (onSnapshot) onSnapshot();
    }
  }
  void noteTrouble() override { ++troubles; }
};

struct SweepStage {
  SweepOwner owner;
  SweepClient client{owner};

  void snapshots(int count, SweepClient::Time now) {
    Encoder encoder;
    const auto hello = encoder.hello({});
    std::vector<std::byte> bytes(hello.begin(), hello.end());
    for (int i = 0; i < count; ++i) {
      Snapshot snapshot;
      snapshot.time = MonotonicTime{(1 + i) * 1s};
      const auto more = encoder.snapshot(snapshot);
      bytes.insert(bytes.end(), more.begin(), more.end());
    }
    client.onBytes(bytes, now);
  }
  // Lets the time pass in which the client waits; returns it.
  std::chrono::seconds pause(SweepClient::Time& now) {
    std::chrono::seconds waited = 0s;
    for (; !owner.runs && waited < 1min; ++waited) client.onTime(now += 1s);
    return waited;
  }
};

}  // namespace

TEST_CASE("A sweep is asked for with the options of its reader") {
  SweepStage stage;
  stage.client.begin({.interval = 20ms, .faultTime = false, .faster = true, .attended = true, .synthetic = true}, 10s,
                     kSweepBegin);
  CHECK(stage.owner.started.front() == std::vector<std::string>{"sweep", "--interval", "20ms", "--faster", "--attended",
                                                                "--no-fault-time", "--synthetic"});
  stage.snapshots(3, kSweepBegin);
  CHECK(stage.owner.hellos == 1);
  CHECK(stage.owner.snapshots == 3);
  CHECK(stage.client.trouble().empty());
}

TEST_CASE("A collector that ends is started again after pauses that double up to 30 s") {
  SweepStage stage;
  auto now = kSweepBegin;
  stage.client.begin({}, 10s, now);
  for (const auto pause : {1s, 2s, 4s, 8s, 16s, 30s, 30s}) {
    stage.client.onCollectorEnd(collectorEnd("ended with code 3", "It burns.\n"), now);
    CHECK_FALSE(stage.owner.runs);
    CHECK(stage.client.trouble() ==
          "The collector ended with code 3. The collector said: “It burns.” Trying again in " +
              std::to_string(pause.count()) + " s.");
    CHECK(stage.pause(now) == pause);
    CHECK(stage.client.trouble().ends_with("Trying again now."));
  }
  stage.snapshots(1, now);
  CHECK(stage.client.trouble().empty());
  stage.client.onCollectorEnd(collectorEnd("was killed", ""), now + 10s);
  CHECK(stage.client.trouble() == "The collector was killed. Trying again in 1 s.");
}

TEST_CASE("A collector that sends no snapshot for too long is given up") {
  SweepStage stage;
  stage.client.begin({}, 10s, kSweepBegin);
  stage.snapshots(1, kSweepBegin + 9s);
  stage.client.onTime(kSweepBegin + 18s);
  CHECK(stage.client.trouble().empty());
  CHECK(stage.client.due() == kSweepBegin + 19s);
  stage.client.onTime(kSweepBegin + 19s);
  CHECK(stage.client.trouble().starts_with("The collector has sent nothing for 10.0 s."));
  CHECK_FALSE(stage.owner.runs);
}

TEST_CASE("A program that sends no stream is no collector") {
  SweepStage stage;
  stage.client.begin({}, 10s, kSweepBegin);
  const std::string text(1000, 'y');
  stage.client.onBytes(std::as_bytes(std::span(text)), kSweepBegin);
  CHECK_FALSE(stage.owner.runs);
  CHECK(stage.client.trouble().ends_with("Trying again in 1 s."));
}

TEST_CASE("A missing collector is told, and looked for again") {
  SweepStage stage;
  stage.owner.refuses = true;
  auto now = kSweepBegin;
  stage.client.begin({}, 10s, now);
  CHECK(stage.client.trouble() == "The program that measures is missing: It is nowhere. Trying again in 1 s.");
  stage.owner.refuses = false;
  CHECK(stage.pause(now) == 1s);
}

TEST_CASE("A client that its owner stops during a snapshot takes no further one, and starts no collector") {
  SweepStage stage;
  stage.client.begin({}, 10s, kSweepBegin);
  stage.owner.onSnapshot = [&] { stage.client.stop(); };
  stage.snapshots(3, kSweepBegin);
  CHECK(stage.owner.snapshots == 1);
  stage.client.onCollectorEnd(collectorEnd("was killed", ""), kSweepBegin);
  CHECK_FALSE(stage.client.due());
  CHECK(stage.client.trouble().empty());
}

TEST_CASE("A client that its owner begins anew during a snapshot reads the new collector's stream alone") {
  SweepStage stage;
  stage.client.begin({}, 10s, kSweepBegin);
  stage.owner.onSnapshot = [&] { stage.client.begin({.interval = 1s}, 10s, kSweepBegin); };
  stage.snapshots(3, kSweepBegin);
  CHECK(stage.owner.snapshots == 1);
  CHECK(stage.owner.started.size() == 2);
}

namespace {

// A collector of Windows that counts the cycles of zeroing, or cannot any more.
Hello countingCycles(bool counts) {
  Hello hello;
  hello.quality(SystemMetric::ZeroThreadCycles).grade = counts ? Grade::Exact : Grade::Unavailable;
  return hello;
}

void tell(SweepStage& stage, const std::vector<bool>& counts, SweepClient::Time now) {
  Encoder encoder;
  for (const bool each : counts) {
    const auto bytes = encoder.hello(countingCycles(each));
    stage.client.onBytes({bytes.begin(), bytes.end()}, now);
  }
}

}  // namespace

TEST_CASE("A collector that can no longer count the cycles of zeroing is replaced at once, without a complaint") {
  SweepStage stage;
  stage.client.begin({}, 1min, kSweepBegin);
  tell(stage, {true, false}, kSweepBegin + 30s);
  CHECK(stage.client.due() == kSweepBegin + 30s);
  stage.client.onTime(kSweepBegin + 30s);
  CHECK(stage.owner.started.size() == 2);
  CHECK(stage.owner.runs);
  CHECK(stage.client.trouble().empty());
  CHECK(stage.client.due() == kSweepBegin + 90s);
  // The new one cannot either: there is nothing to gain from a third.
  tell(stage, {false}, kSweepBegin + 31s);
  CHECK(stage.client.due() == kSweepBegin + 90s);
}

TEST_CASE("A collector is replaced for the cycles of zeroing at most every ten seconds") {
  SweepStage stage;
  stage.client.begin({}, 1min, kSweepBegin);
  tell(stage, {true, false}, kSweepBegin + 1s);
  CHECK(stage.client.due() == kSweepBegin + 10s);
  stage.client.onTime(kSweepBegin + 9s);
  CHECK(stage.owner.started.size() == 1);
  stage.client.onTime(kSweepBegin + 10s);
  CHECK(stage.owner.started.size() == 2);
}

TEST_CASE("A collector that counts the cycles of zeroing again is kept") {
  SweepStage stage;
  stage.client.begin({}, 1min, kSweepBegin);
  tell(stage, {true, false, true}, kSweepBegin + 1s);
  CHECK(stage.client.due() == kSweepBegin + 60s);
}
