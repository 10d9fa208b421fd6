#include "core/stream/encoder.h"

#include <cstring>

#include "core/stream/fault_samples_codec.h"
#include "core/stream/game_frames_codec.h"
#include "core/stream/hello_codec.h"
#include "core/stream/recorded_samples_codec.h"
#include "core/stream/snapshot_codec.h"
#include "core/stream/snapshot_diff.h"
#include "core/stream/wire.h"

namespace faultline {
namespace {

constexpr std::size_t kHead = wire::kPreambleSize + wire::kHeaderSize;

// A packet under construction: space for the preamble and the header, then the payload.
class PacketBuffer {
 public:
  [[nodiscard]] wire::Packer begin() {
    m_bytes.clear();
    static constexpr std::array<char, kHead> kRoom{};
    m_bytes.write(kRoom.data(), kRoom.size());
    return wire::Packer(m_bytes);
  }
  [[nodiscard]] std::size_t payloadSize() const { return m_bytes.size() - kHead; }

  std::span<const std::byte> finish(wire::Kind kind, bool withPreamble) {
    const std::span bytes(reinterpret_cast<std::byte*>(m_bytes.data()), m_bytes.size());
    const auto header = wire::packHeader(kind, bytes.subspan(kHead));
    std::memcpy(bytes.data() + wire::kPreambleSize, header.data(), header.size());
    if (!withPreamble) return bytes.subspan(wire::kPreambleSize);
    std::memcpy(bytes.data(), wire::kMagic.data(), wire::kMagic.size());
    bytes[wire::kMagic.size()] = std::byte{wire::kMajor};
    bytes[wire::kMagic.size() + 1] = std::byte{wire::kMinor};
    return bytes;
  }

 private:
  msgpack::sbuffer m_bytes;
};

// The state of a reader that has read a packet.
struct Sent {
  std::vector<ProcessSample> processes;
  FaultDurations durations;  // zeros: it has none
  std::uint64_t nextSequence = 0;
  int untilKey = 0;  // delta snapshots that may precede the next key snapshot
  unsigned shift = 0;
};

}  // namespace

struct Encoder::State {
  PacketBuffer packet;
  wire::SnapshotDiff diff;
  wire::RecordedSampleWriter samples;
  Sent sent;     // before the packet returned last
  Sent pending;  // after that packet
  bool hasPending = false;
  bool begun = false;         // the preamble has been sent
  bool pendingBegun = false;  // the packet returned last contains the preamble

  void commit() {
    if (hasPending) std::swap(sent, pending);
    begun = begun || pendingBegun;
    hasPending = pendingBegun = false;
  }
  // A packet of another kind than Hello and snapshots.
  template <class Fill>
  std::span<const std::byte> packetOf(wire::Kind kind, Fill fill) {
    commit();
    wire::Packer packer = packet.begin();
    fill(packer);
    return packet.finish(kind, false);
  }
};

Encoder::Encoder() : m_state(std::make_unique<State>()) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;

std::span<const std::byte> Encoder::hello(const Hello& hello) {
  m_state->commit();
  wire::Packer packer = m_state->packet.begin();
  wire::packHello(hello, packer);
  m_state->pendingBegun = !m_state->begun;
  m_state->sent.untilKey = 0;  // the snapshot after a Hello is a key snapshot
  return m_state->packet.finish(wire::Kind::Hello, m_state->pendingBegun);
}

std::span<const std::byte> Encoder::snapshot(const Snapshot& snapshot) {
  m_state->commit();
  const Sent& sent = m_state->sent;
  Sent& pending = m_state->pending;
  const unsigned shift = wire::byteShift(snapshot);
  const bool key = sent.untilKey == 0 || shift < sent.shift;
  const std::span<const ProcessSample> before = key ? std::span<const ProcessSample>() : sent.processes;
  pending.shift = key ? shift : sent.shift;
  pending.untilKey = (key ? kKeySnapshotEvery : sent.untilKey) - 1;
  pending.nextSequence = sent.nextSequence + 1;
  const wire::Fitting fitting = wire::fitting(snapshot);
  const std::span now = fitting.processes;
  pending.processes.assign(now.begin(), now.end());
  pending.durations = snapshot.faultDurations.value_or(FaultDurations());
  m_state->hasPending = true;

  m_state->diff.compare(before, now);
  wire::Packer packer = m_state->packet.begin();
  const FaultDurations durationsBefore = key ? FaultDurations() : sent.durations;
  wire::packSnapshot({sent.nextSequence, pending.shift, before, durationsBefore, snapshot, fitting}, m_state->diff,
                     packer);
  return m_state->packet.finish(key ? wire::Kind::Key : wire::Kind::Delta, false);
}

std::span<const std::byte> Encoder::gameFrames(const GameFrameBatch& batch) {
  return m_state->packetOf(wire::Kind::GameFrames, [&](wire::Packer& out) { wire::packGameFrames(batch, out); });
}

std::span<const std::byte> Encoder::faultSamples(const FaultSampleBatch& batch) {
  return m_state->packetOf(wire::Kind::FaultSamples, [&](wire::Packer& out) { wire::packFaultSamples(batch, out); });
}

std::span<const std::byte> Encoder::recordedFrames(const GameFrameBatch& batch) {
  return m_state->packetOf(wire::Kind::RecordedFrames,
                           [&](wire::Packer& out) { wire::packRecordedFrames(batch, out); });
}

std::span<const std::byte> Encoder::recordedSamples(std::uint64_t lost, std::span<const FaultSample>& samples) {
  return m_state->packetOf(wire::Kind::RecordedSamples,
                           [&](wire::Packer& out) { m_state->samples.pack(lost, samples, out); });
}

std::span<const std::byte> Encoder::end() {
  return m_state->packetOf(wire::Kind::End, [](wire::Packer& out) { out.pack_map(0); });
}

void Encoder::dropped() {
  m_state->hasPending = m_state->pendingBegun = false;
}

}  // namespace faultline
