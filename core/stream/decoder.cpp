#include "core/stream/decoder.h"

#include <algorithm>
#include <string>

#include "core/stream/fault_samples_codec.h"
#include "core/stream/game_frames_codec.h"
#include "core/stream/hello_codec.h"
#include "core/stream/packet_reader.h"
#include "core/stream/recorded_samples_codec.h"
#include "core/stream/snapshot_codec.h"
#include "core/stream/tokens.h"

namespace faultline {
namespace {

using wire::Kind;
using wire::Packet;
using wire::PacketStatus;

Error foreign() {
  return {
      "This is not a Faultline recording: it does not begin with FAULTLINE. Make recordings with Record in the tray "
      "menu or with faultline-cli record."};
}

Error otherMajor(unsigned major) {
  return {"The recording has format " + std::to_string(major) + ", but this version of Faultline reads format " +
          std::to_string(wire::kMajor) + ". Open it with a newer Faultline."};
}

Error damage(std::uint64_t offset) {
  return {"The stream is damaged at byte " + std::to_string(offset) +
          ". Reading continues at the next intact key snapshot."};
}

}  // namespace

struct Decoder::State {
  SnapshotCompletion complete;
  wire::PacketReader packets;
  std::vector<wire::Token> tokens;
  Snapshot snapshot;
  GameFrameBatch batch;
  FaultSampleBatch faults;
  wire::RecordedSampleReader recordedSamples;
  Snapshot limited;             // the first processes of `snapshot`, if there are too many
  bool synchronised = false;    // `snapshot` equals the writer's last one
  bool damageReported = false;  // the current stretch of damage has been reported
  std::uint64_t expected = 0;   // sequence number of the next snapshot
  std::uint64_t lost = 0;       // snapshots
  std::optional<Error> fatal;

  Result<StreamEvent> next();
  std::optional<Result<StreamEvent>> take(const Packet& packet);
  std::optional<Result<StreamEvent>> takeSnapshot(const Packet& packet);
  bool applied(const Packet& packet, bool key);
  bool follows(std::uint64_t sequence);
  const Snapshot& limitedSnapshot();
  std::optional<Result<StreamEvent>> reportDamage(std::uint64_t offset);
};

// Reports each stretch of damage once, however many packets it makes unusable.
std::optional<Result<StreamEvent>> Decoder::State::reportDamage(std::uint64_t offset) {
  synchronised = false;
  if (damageReported) return std::nullopt;
  damageReported = true;
  return tl::unexpected<Error>(damage(offset));
}

// Counts the snapshots missing before this one; true if none is missing.
bool Decoder::State::follows(std::uint64_t sequence) {
  const bool asExpected = expected == sequence;
  if (sequence > expected) lost += sequence - expected;
  expected = sequence + 1;
  return asExpected;
}

bool Decoder::State::applied(const Packet& packet, bool key) {
  if (!wire::tokenise(packet.payload, tokens)) return false;
  wire::TokenReader in(tokens);
  const std::uint32_t fields = in.array();
  const std::uint64_t sequence = in.u64();
  if (!in.ok() || fields < wire::kSnapshotFieldsOf10) return false;
  const bool usable = follows(sequence) && synchronised;
  if (!key && !usable) return false;
  if (key) {
    snapshot.processes.clear();
    snapshot.faultDurations.reset();
  }
  return wire::applySnapshot(in, fields, snapshot);
}

// Limits the processes passed on: a few megabytes can claim a hundred thousand, and views keep kilobytes for each.
const Snapshot& Decoder::State::limitedSnapshot() {
  const auto most = [](const std::vector<ProcessSample>& all) { return std::min(all.size(), wire::kMaxProcesses); };
  const std::size_t alive = most(snapshot.processes);
  const std::size_t ended = most(snapshot.exited);
  const std::size_t left = snapshot.processes.size() - alive + snapshot.exited.size() - ended;
  if (left == 0) return snapshot;
  const auto first = [](const std::vector<ProcessSample>& all, std::size_t count) {
    return std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  limited = {.time = snapshot.time,
             .wallTime = snapshot.wallTime,
             .suspended = snapshot.suspended,
             .scan = snapshot.scan,
             .system = snapshot.system,
             .processes = first(snapshot.processes, alive),
             .exited = first(snapshot.exited, ended),
             .faultDurations = snapshot.faultDurations};
  limited.system.set(SystemMetric::ProcessesLeftOut,
                     limited.system.get(SystemMetric::ProcessesLeftOut).value_or(0) + left);
  return limited;
}

std::optional<Result<StreamEvent>> Decoder::State::takeSnapshot(const Packet& packet) {
  const bool key = packet.kind == static_cast<std::uint8_t>(Kind::Key);
  if (!applied(packet, key)) {
    ++lost;
    return reportDamage(packet.offset);
  }
  synchronised = true;
  damageReported = false;
  if (complete) complete(snapshot);
  return StreamEvent(&limitedSnapshot());
}

std::optional<Result<StreamEvent>> Decoder::State::take(const Packet& packet) {
  switch (static_cast<Kind>(packet.kind)) {
    case Kind::Hello: {
      if (!wire::tokenise(packet.payload, tokens)) return reportDamage(packet.offset);
      auto hello = wire::readHello(wire::TokenReader(tokens));
      if (!hello) return reportDamage(packet.offset);
      return StreamEvent(std::move(*hello));
    }
    case Kind::Key:
    case Kind::Delta:
      return takeSnapshot(packet);
    case Kind::End:
      return StreamEvent(StreamEnd{});
    case Kind::GameFrames:
      if (!wire::tokenise(packet.payload, tokens) || !wire::readGameFrames(wire::TokenReader(tokens), batch))
        return reportDamage(packet.offset);
      return StreamEvent(const_cast<const GameFrameBatch*>(&batch));
    case Kind::RecordedFrames:
      if (!wire::tokenise(packet.payload, tokens) || !wire::readRecordedFrames(wire::TokenReader(tokens), batch))
        return reportDamage(packet.offset);
      return StreamEvent(const_cast<const GameFrameBatch*>(&batch));
    case Kind::RecordedSamples:
      if (!wire::tokenise(packet.payload, tokens) || !recordedSamples.read(wire::TokenReader(tokens), faults))
        return reportDamage(packet.offset);
      return StreamEvent(const_cast<const FaultSampleBatch*>(&faults));
    case Kind::FaultSamples:
      if (!wire::tokenise(packet.payload, tokens) || !wire::readFaultSamples(wire::TokenReader(tokens), faults))
        return reportDamage(packet.offset);
      return StreamEvent(const_cast<const FaultSampleBatch*>(&faults));
  }
  return std::nullopt;  // a kind added by a newer minor version: skip
}

Result<StreamEvent> Decoder::State::next() {
  while (true) {
    const Packet packet = packets.next();
    std::optional<Result<StreamEvent>> event;
    switch (packet.status) {
      case PacketStatus::NeedMore:
        return StreamEvent(NeedMoreBytes{});
      case PacketStatus::Foreign:
        fatal = foreign();
        return tl::unexpected<Error>(*fatal);
      case PacketStatus::OtherMajor:
        fatal = otherMajor(packets.major());
        return tl::unexpected<Error>(*fatal);
      case PacketStatus::NewStream:
        synchronised = damageReported = false;
        expected = 0;
        recordedSamples = {};
        break;
      case PacketStatus::Damage:
        event = reportDamage(packet.offset);
        break;
      case PacketStatus::Packet:
        event = take(packet);
        break;
    }
    if (event) return std::move(*event);
  }
}

Decoder::Decoder(SnapshotCompletion complete) : m_state(std::make_unique<State>()) {
  m_state->complete = std::move(complete);
}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::feed(std::span<const std::byte> bytes) {
  m_state->packets.feed(bytes);
}

Result<StreamEvent> Decoder::next() {
  State& state = *m_state;
  if (state.fatal) return tl::unexpected<Error>(*state.fatal);
  try {
    return state.next();
  } catch (const std::exception&) {
    state.fatal = Error{"There is not enough memory to read the recording any further."};
    return tl::unexpected<Error>(*state.fatal);
  }
}

bool Decoder::failed() const {
  return m_state->fatal.has_value();
}
std::size_t Decoder::bytesPending() const {
  return m_state->packets.pending();
}
std::uint64_t Decoder::snapshotsLost() const {
  return m_state->lost;
}

}  // namespace faultline
