// The decoder on hostile bytes: as a whole stream, and as the payload of frames whose checksums are right (which chance
// would never find). Whatever it accepts must survive being encoded and decoded again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/recording/key_places.h"
#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "core/stream/wire.h"

namespace {

using namespace faultline;

using Bytes = std::span<const std::byte>;

void demand(bool condition) {
  if (!condition) std::abort();
}

void checkAgain(const Snapshot& snapshot, Encoder& encoder, Decoder& decoder) {
  demand(std::is_sorted(snapshot.processes.begin(), snapshot.processes.end(),
                        [](const auto& a, const auto& b) { return a.key < b.key; }));
  decoder.feed(encoder.snapshot(snapshot));
  const auto event = decoder.next();
  demand(event.has_value() && std::holds_alternative<const Snapshot*>(*event));
  demand(*std::get<const Snapshot*>(*event) == snapshot);
}

void checkAgain(const Hello& hello) {
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(hello));
  const auto event = decoder.next();
  demand(event.has_value() && std::get<Hello>(*event) == hello);
}

void checkAgain(const GameFrameBatch& batch, Encoder& encoder, Decoder& decoder) {
  constexpr std::size_t kMostFrames = 65'536;
  if (batch.frames.size() > kMostFrames) return;
  decoder.feed(encoder.gameFrames(batch));
  const auto event = decoder.next();
  demand(event.has_value() && *std::get<const GameFrameBatch*>(*event) == batch);
  decoder.feed(encoder.recordedFrames(batch));
  const auto recorded = decoder.next();
  demand(recorded.has_value() && *std::get<const GameFrameBatch*>(*recorded) == batch);
}

std::size_t depthOf(const FaultSample& sample) {
  return sample.calls ? sample.calls->depth : 0;
}

void checkAgain(const FaultSampleBatch& batch, Encoder& encoder, Decoder& decoder) {
  constexpr std::size_t kMostSamples = 2048;
  if (batch.samples.size() > kMostSamples) return;
  FaultSampleBatch bare = batch;
  for (FaultSample& sample : bare.samples) sample.calls.reset();
  decoder.feed(encoder.faultSamples(bare));
  const auto event = decoder.next();
  demand(event.has_value() && *std::get<const FaultSampleBatch*>(*event) == bare);
  std::span<const FaultSample> rest = batch.samples;
  std::size_t samples = 0;
  do {
    decoder.feed(encoder.recordedSamples(batch.lost, rest));
    const auto recorded = decoder.next();
    demand(recorded.has_value());
    for (const FaultSample& sample : std::get<const FaultSampleBatch*>(*recorded)->samples) {
      const FaultSample& original = batch.samples[samples++];
      demand(sample.time == original.time && sample.address >> 12U == original.address >> 12U);
      demand(depthOf(sample) == depthOf(original));
    }
  } while (!rest.empty());
  demand(samples == batch.samples.size());
}

// Decoded events go through these two again. Made only for inputs that something is decoded of.
struct Mirror {
  Mirror() {
    decoder.feed(encoder.hello({}));
    demand(decoder.next().has_value());
  }
  Encoder encoder;
  Decoder decoder;
};

class Target {
 public:
  void feed(Bytes bytes) {
    m_decoder.feed(bytes);
    while (!m_decoder.failed()) {
      const auto event = m_decoder.next();
      if (!event) continue;
      if (std::holds_alternative<NeedMoreBytes>(*event)) return;
      if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) check(**snapshot);
      if (const auto* batch = std::get_if<const GameFrameBatch*>(&*event)) check(**batch);
      if (const auto* faults = std::get_if<const FaultSampleBatch*>(&*event)) check(**faults);
      if (const auto* hello = std::get_if<Hello>(&*event)) checkAgain(*hello);
    }
  }
  // Bytes that are known to be sound, of `events` events.
  void feedSound(Bytes bytes, int events) {
    m_decoder.feed(bytes);
    for (int i = 0; i < events; ++i) demand(m_decoder.next().has_value());
  }

 private:
  template <class T>
  void check(const T& decoded) {
    if (!m_mirror) m_mirror.emplace();
    checkAgain(decoded, m_mirror->encoder, m_mirror->decoder);
  }

  Decoder m_decoder;
  std::optional<Mirror> m_mirror;
};

Snapshot twoProcesses() {
  Snapshot snapshot;
  for (const std::uint32_t pid : {1U, 7U}) {
    ProcessSample process{{pid, 5}, "x", {}};
    process.values.set(ProcessMetric::MinorFaults, 10);
    process.values.set(ProcessMetric::ResidentBytes, 4096);
    snapshot.processes.push_back(process);
  }
  return snapshot;
}

// Hello and a snapshot of two processes, which deltas can then be about.
std::vector<std::byte> soundBeginning() {
  Encoder encoder;
  const Bytes hello = encoder.hello({});
  std::vector<std::byte> bytes(hello.begin(), hello.end());
  const Bytes snapshot = encoder.snapshot(twoProcesses());
  bytes.insert(bytes.end(), snapshot.begin(), snapshot.end());
  return bytes;
}

// As the end of a file, which tells where the key snapshots before it stand, and spikes.
void checkEnd(Bytes payload) {
  constexpr std::uint64_t kOffset = 1000;
  const auto header = wire::packHeader(wire::Kind::End, payload);
  std::vector<std::byte> packet(header.begin(), header.end());
  packet.insert(packet.end(), payload.begin(), payload.end());
  const auto index = indexOfEnd(packet, kOffset);
  if (!index) return;
  const std::string again = packEnd(kOffset, *index);
  demand(indexOfEnd(std::as_bytes(std::span(again)), kOffset) == index);
}

void asPayloads(Bytes data) {
  static const std::vector<std::byte> kBeginning = soundBeginning();
  Target target;
  target.feedSound(kBeginning, 2);
  while (data.size() > 3) {  // kind, length, payload; again
    const auto kind = static_cast<wire::Kind>(data[0]);
    const auto length =
        std::min(std::to_integer<std::size_t>(data[1]) << 8U | std::to_integer<std::size_t>(data[2]), data.size() - 3);
    const Bytes payload = data.subspan(3, length);
    target.feed(wire::packHeader(kind, payload));
    target.feed(payload);
    if (kind == wire::Kind::End) checkEnd(payload);
    data = data.subspan(3 + length);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes = std::as_bytes(std::span(data, size));
  if (size > 0 && data[0] <= 8) {
    asPayloads(bytes);
    return 0;
  }
  Target target;
  const std::size_t piece = 1 + size / 3;
  for (std::size_t i = 0; i < size; i += piece) target.feed(bytes.subspan(i, std::min(piece, size - i)));
  return 0;
}
