#include "core/stream/decoder.h"

#include <algorithm>
#include <string>

#include "core/stream/fault_samples_codec.h"
#include "core/stream/frame_reader.h"
#include "core/stream/game_frames_codec.h"
#include "core/stream/hello_codec.h"
#include "core/stream/snapshot_codec.h"
#include "core/stream/tokens.h"

namespace faultline {
namespace {

using wire::Frame;
using wire::FrameStatus;
using wire::Kind;

Error foreign() {
  return {
      "This is not a Faultline recording: it does not begin with the word FAULTLINE. Recordings are made with Record "
      "in "
      "the tray menu or with faultline-cli record."};
}

Error otherMajor(unsigned major) {
  return {"This recording has format " + std::to_string(major) + " and this version of Faultline reads format " +
          std::to_string(wire::kMajor) + ". Open it with a newer Faultline."};
}

Error damage(std::uint64_t offset) {
  return {"The stream is damaged at byte " + std::to_string(offset) +
          ". Reading goes on at the next whole key frame that can be found."};
}

}  // namespace

struct Decoder::State {
  wire::FrameReader frames;
  std::vector<wire::Token> tokens;
  Snapshot snapshot;
  GameFrameBatch batch;
  FaultSampleBatch faults;
  Snapshot shown;                         // the beginning of `snapshot`, where that is too large
  bool inStep = false;                    // `snapshot` is what the writer sent last
  bool damageTold = false;                // until the next key frame
  std::optional<std::uint64_t> expected;  // sequence number of the next snapshot
  std::uint64_t lost = 0;                 // snapshots
  std::optional<Error> fatal;
  FrameInfo info;

  Result<StreamEvent> next();
  std::optional<Result<StreamEvent>> take(const Frame& frame);
  std::optional<Result<StreamEvent>> takeSnapshot(const Frame& frame);
  bool applied(const Frame& frame, bool key);
  bool follows(std::uint64_t sequence);
  void startAt(std::optional<std::uint64_t> sequence);
  const Snapshot& withinBounds();
  std::optional<Result<StreamEvent>> tellDamage(std::uint64_t offset);
};

void Decoder::State::startAt(std::optional<std::uint64_t> sequence) {
  inStep = damageTold = false;
  expected = sequence;
}

// One error for one stretch of damage, however many frames it makes useless.
std::optional<Result<StreamEvent>> Decoder::State::tellDamage(std::uint64_t offset) {
  inStep = false;
  if (damageTold) return std::nullopt;
  damageTold = true;
  return tl::unexpected<Error>(damage(offset));
}

// Counts what is missing before this snapshot; true if nothing is.
bool Decoder::State::follows(std::uint64_t sequence) {
  const bool asExpected = expected == sequence;
  if (expected && sequence > *expected) lost += sequence - *expected;
  expected = sequence + 1;
  return asExpected;
}

bool Decoder::State::applied(const Frame& frame, bool key) {
  if (!wire::tokenise(frame.payload, tokens)) return false;
  wire::TokenReader in(tokens);
  const std::uint32_t fields = in.array();
  const std::uint64_t sequence = in.u64();
  if (!in.ok() || fields < wire::kSnapshotFieldsOf10) return false;
  const bool usable = follows(sequence) && inStep;
  if (!key && !usable) return false;
  if (key) snapshot.processes.clear();
  return wire::applySnapshot(in, fields, snapshot);
}

// A few megabytes can claim a hundred thousand processes, of which whoever shows them keeps kilobytes each.
const Snapshot& Decoder::State::withinBounds() {
  const auto most = [](const std::vector<ProcessSample>& all) { return std::min(all.size(), wire::kMaxProcesses); };
  const std::size_t alive = most(snapshot.processes);
  const std::size_t ended = most(snapshot.exited);
  const std::size_t left = snapshot.processes.size() - alive + snapshot.exited.size() - ended;
  if (left == 0) return snapshot;
  const auto first = [](const std::vector<ProcessSample>& all, std::size_t count) {
    return std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  shown = {.time = snapshot.time,
           .wallTime = snapshot.wallTime,
           .suspended = snapshot.suspended,
           .scan = snapshot.scan,
           .system = snapshot.system,
           .processes = first(snapshot.processes, alive),
           .exited = first(snapshot.exited, ended)};
  shown.system.set(SystemMetric::ProcessesLeftOut, shown.system.get(SystemMetric::ProcessesLeftOut).value_or(0) + left);
  return shown;
}

std::optional<Result<StreamEvent>> Decoder::State::takeSnapshot(const Frame& frame) {
  const bool key = frame.kind == static_cast<std::uint8_t>(Kind::Key);
  if (!applied(frame, key)) {
    ++lost;
    return tellDamage(frame.offset);
  }
  inStep = true;
  damageTold = false;
  info = {frame.offset, key};
  return StreamEvent(&withinBounds());
}

std::optional<Result<StreamEvent>> Decoder::State::take(const Frame& frame) {
  switch (static_cast<Kind>(frame.kind)) {
    case Kind::Hello: {
      if (!wire::tokenise(frame.payload, tokens)) return tellDamage(frame.offset);
      auto hello = wire::readHello(wire::TokenReader(tokens));
      if (!hello) return tellDamage(frame.offset);
      info = {frame.offset, false};
      return StreamEvent(std::move(*hello));
    }
    case Kind::Key:
    case Kind::Delta:
      return takeSnapshot(frame);
    case Kind::End:
      return StreamEvent(StreamEnd{});
    case Kind::GameFrames:
      if (!wire::tokenise(frame.payload, tokens) || !wire::readGameFrames(wire::TokenReader(tokens), batch))
        return tellDamage(frame.offset);
      info = {frame.offset, false};
      return StreamEvent(const_cast<const GameFrameBatch*>(&batch));
    case Kind::FaultSamples:
      if (!wire::tokenise(frame.payload, tokens) || !wire::readFaultSamples(wire::TokenReader(tokens), faults))
        return tellDamage(frame.offset);
      info = {frame.offset, false};
      return StreamEvent(const_cast<const FaultSampleBatch*>(&faults));
  }
  return std::nullopt;  // of a kind that a newer minor version has added
}

Result<StreamEvent> Decoder::State::next() {
  while (true) {
    const Frame frame = frames.next();
    std::optional<Result<StreamEvent>> event;
    switch (frame.status) {
      case FrameStatus::NeedMore:
        return StreamEvent(NeedMoreBytes{});
      case FrameStatus::Foreign:
        fatal = foreign();
        return tl::unexpected<Error>(*fatal);
      case FrameStatus::OtherMajor:
        fatal = otherMajor(frames.major());
        return tl::unexpected<Error>(*fatal);
      case FrameStatus::NewStream:
        startAt(0);
        break;
      case FrameStatus::Damage:
        event = tellDamage(frame.offset);
        break;
      case FrameStatus::Frame:
        event = take(frame);
        break;
    }
    if (event) return std::move(*event);
  }
}

Decoder::Decoder() : m_state(std::make_unique<State>()) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::feed(std::span<const std::byte> bytes) {
  m_state->frames.feed(bytes);
}

Result<StreamEvent> Decoder::next() {
  State& state = *m_state;
  if (state.fatal) return tl::unexpected<Error>(*state.fatal);
  try {
    return state.next();
  } catch (const std::exception&) {
    state.fatal = Error{"There is not enough memory to read on."};
    return tl::unexpected<Error>(*state.fatal);
  }
}

void Decoder::jump(std::uint64_t offset) {
  m_state->frames.jump(offset);
  m_state->startAt(std::nullopt);
}

bool Decoder::failed() const {
  return m_state->fatal.has_value();
}
FrameInfo Decoder::lastFrame() const {
  return m_state->info;
}
std::size_t Decoder::bytesPending() const {
  return m_state->frames.pending();
}
std::uint64_t Decoder::snapshotsLost() const {
  return m_state->lost;
}

}  // namespace faultline
