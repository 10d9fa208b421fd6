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

// `count` processes, each with a name of `nameBytes` bytes and the largest possible value of every metric.
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
  const auto packet = encoder.snapshot(snapshot);
  CHECK(packet.size() <= wire::kMaxPayload + wire::kHeaderSize);
  decoder.feed(packet);
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

TEST_CASE("In the steady state, encoding allocates nothing for any number of processes") {
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

TEST_CASE("The snapshot after a further Hello is a key snapshot") {
  const auto kindOf = [](std::span<const std::byte> packet) { return static_cast<wire::Kind>(packet[4]); };
  Encoder encoder;
  static_cast<void>(encoder.hello(someHello()));
  CHECK(kindOf(encoder.snapshot(someSnapshot(2, 0, 1))) == wire::Kind::Key);
  CHECK(kindOf(encoder.snapshot(someSnapshot(2, 1, 1))) == wire::Kind::Delta);
  static_cast<void>(encoder.hello(someHello()));
  CHECK(kindOf(encoder.snapshot(someSnapshot(2, 2, 1))) == wire::Kind::Key);
}

TEST_CASE("The last processes are omitted if a packet would exceed the size that readers accept") {
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(someHello()));
  REQUIRE(decoder.next());
  const Snapshot first = hugeSnapshot(40'000, 450, 1);
  const Snapshot got = arrived(encoder, decoder, first);
  CHECK(got.processes.size() > 23'000);
  CHECK(got.processes.size() < wire::kMaxProcesses);
  CHECK(isBeginning(got, first));
  CHECK(got.system.get(SystemMetric::ProcessesLeftOut) == 40'000 - got.processes.size());
  // The largest delta: all processes end and as many others start.
  const Snapshot others = hugeSnapshot(40'000, 450, 1'000'000);
  CHECK(isBeginning(arrived(encoder, decoder, others), others));
  const Snapshot few = someSnapshot(5, 0, 0);
  CHECK(arrived(encoder, decoder, few) == few);
}

TEST_CASE("With names and values of Linux, as many processes fit as readers accept") {
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

TEST_CASE("Ended processes share the packet with living ones") {
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(someHello()));
  REQUIRE(decoder.next());
  Snapshot snapshot = someSnapshot(5, 0, 0);
  snapshot.exited = hugeSnapshot(40'000, 450, 1000).processes;
  const Snapshot got = arrived(encoder, decoder, snapshot);
  CHECK(got.processes == snapshot.processes);
  CHECK(got.exited.size() > 23'000);
  CHECK(got.system.get(SystemMetric::ProcessesLeftOut) == 40'000 - got.exited.size());
  snapshot.exited.clear();
  CHECK(arrived(encoder, decoder, snapshot).exited.empty());
}

}  // namespace faultline::test
