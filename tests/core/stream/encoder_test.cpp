#include "core/stream/encoder.h"

#include <catch2/catch_test_macros.hpp>

#include "core/export/columns.h"
#include "core/stream/decoder.h"
#include "core/stream/tokens.h"
#include "core/stream/wire.h"
#include "tests/core/stream/samples.h"
#include "tests/support/allocations.h"

namespace faultline::test {
namespace {

// `count` processes, all with names of `nameBytes` and every metric as large as it can be.
Snapshot hugeSnapshot(std::uint32_t count, std::size_t nameBytes, std::uint32_t firstPid) {
  Snapshot snapshot = someSnapshot(0, 0, 0);
  snapshot.processes.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    ProcessSample& process = snapshot.processes[i];
    process.key = {firstPid + i, static_cast<std::uint64_t>(wire::kLatestWall.count())};
    process.name.assign(nameBytes, 'x');
    for (const ProcessMetric metric : allProcessMetrics()) process.values.set(metric, UINT64_MAX);
  }
  return snapshot;
}

Snapshot arrived(Encoder& encoder, Decoder& decoder, const Snapshot& snapshot) {
  const auto frame = encoder.snapshot(snapshot);
  CHECK(frame.size() <= wire::kMaxPayload + wire::kHeaderSize);
  decoder.feed(frame);
  const auto event = decoder.next();
  REQUIRE(event);
  REQUIRE(std::holds_alternative<const Snapshot*>(*event));
  return *std::get<const Snapshot*>(*event);
}

bool isBeginning(const Snapshot& part, const Snapshot& whole) {
  return part.processes.size() <= whole.processes.size() &&
         std::equal(part.processes.begin(), part.processes.end(), whole.processes.begin());
}

}  // namespace

TEST_CASE("Encoding allocates nothing in the steady state, however many processes there are") {
  std::vector<Snapshot> snapshots;
  snapshots.reserve(6);
  for (std::uint64_t step = 0; step < 6; ++step) snapshots.push_back(someSnapshot(2000, step, 2000));
  Encoder encoder;
  static_cast<void>(encoder.hello(someHello()));
  for (const Snapshot& snapshot : snapshots) static_cast<void>(encoder.snapshot(snapshot));
  const std::uint64_t before = allocations();
  for (const Snapshot& snapshot : snapshots) static_cast<void>(encoder.snapshot(snapshot));
  CHECK(allocations() - before == 0);
}

TEST_CASE("The snapshot after a further Hello stands on its own") {
  const auto kindOf = [](std::span<const std::byte> frame) { return static_cast<wire::Kind>(frame[4]); };
  Encoder encoder;
  static_cast<void>(encoder.hello(someHello()));
  CHECK(kindOf(encoder.snapshot(someSnapshot(2, 0, 1))) == wire::Kind::Key);
  CHECK(kindOf(encoder.snapshot(someSnapshot(2, 1, 1))) == wire::Kind::Delta);
  static_cast<void>(encoder.hello(someHello()));
  CHECK(kindOf(encoder.snapshot(someSnapshot(2, 2, 1))) == wire::Kind::Key);
}

TEST_CASE("A frame never grows beyond what readers accept: the last processes are left out") {
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(someHello()));
  REQUIRE(decoder.next());
  const Snapshot first = hugeSnapshot(40'000, 450, 1);
  const Snapshot got = arrived(encoder, decoder, first);
  CHECK(got.processes.size() > 24'000);
  CHECK(got.processes.size() < wire::kMaxProcesses);
  CHECK(isBeginning(got, first));
  CHECK(got.system.get(SystemMetric::ProcessesLeftOut) == 40'000 - got.processes.size());
  // The most a delta can hold: everyone goes, as many others come.
  const Snapshot others = hugeSnapshot(40'000, 450, 1'000'000);
  CHECK(isBeginning(arrived(encoder, decoder, others), others));
  const Snapshot few = someSnapshot(5, 0, 0);
  CHECK(arrived(encoder, decoder, few) == few);
}

TEST_CASE("As many processes as readers accept do fit with the names and values of Linux") {
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(someHello()));
  REQUIRE(decoder.next());
  Snapshot snapshot = hugeSnapshot(wire::kMaxProcesses + 1, 15, 1);
  for (ProcessSample& process : snapshot.processes) {
    process.values = {};
    for (std::uint32_t i = 0; i < 8; ++i) process.values.set(static_cast<ProcessMetric>(i), UINT64_MAX);
  }
  CHECK(arrived(encoder, decoder, snapshot).processes.size() == wire::kMaxProcesses);
}

TEST_CASE("Who has ended shares the frame with who lives") {
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(someHello()));
  REQUIRE(decoder.next());
  Snapshot snapshot = someSnapshot(5, 0, 0);
  snapshot.exited = hugeSnapshot(40'000, 450, 1000).processes;
  const Snapshot got = arrived(encoder, decoder, snapshot);
  CHECK(got.processes == snapshot.processes);
  CHECK(got.exited.size() > 24'000);
  CHECK(got.system.get(SystemMetric::ProcessesLeftOut) == 40'000 - got.exited.size());
  snapshot.exited.clear();
  CHECK(arrived(encoder, decoder, snapshot).exited.empty());
}

}  // namespace faultline::test
