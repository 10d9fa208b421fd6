#include "core/stream/game_frames_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

namespace faultline::wire {
namespace {

constexpr std::uint32_t kBatchFields = 4;
constexpr std::uint32_t kFrameFields = 7;  // elements before the values of the mask

using Extras = std::array<std::optional<std::uint64_t>, 17>;  // one element for each bit of the mask

Extras extrasOf(const GameFrame& frame) {
  const auto count = [](std::optional<Nanoseconds> time) {
    return time ? std::optional(static_cast<std::uint64_t>(time->count())) : std::nullopt;
  };
  const auto part = [&](Nanoseconds FaultTimeParts::* which) {
    return frame.faultParts ? count((*frame.faultParts).*which) : std::nullopt;
  };
  const auto own = [&](Nanoseconds ThreadTime::* which) {
    return frame.threadTime ? count((*frame.threadTime).*which) : std::nullopt;
  };
  const auto ownPart = [&](Nanoseconds FaultTimeParts::* which) {
    return frame.threadTime ? count(frame.threadTime->inFaults.*which) : std::nullopt;
  };
  return {frame.ownMinorFaults,
          frame.ownMajorFaults,
          frame.zeroedBytes,
          count(frame.faultTime),
          frame.ownZeroedBytes,
          count(frame.ownFaultTime),
          frame.timedFaults,
          part(&FaultTimeParts::onProcessor),
          part(&FaultTimeParts::waiting),
          part(&FaultTimeParts::blocked),
          ownPart(&FaultTimeParts::onProcessor),
          ownPart(&FaultTimeParts::waiting),
          ownPart(&FaultTimeParts::blocked),
          own(&ThreadTime::waiting),
          own(&ThreadTime::sleeping),
          count(frame.teardown),
          count(frame.ownTeardown)};
}

void packFrame(const GameFrame& frame, Packer& out) {
  const Extras extras = extrasOf(frame);
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < extras.size(); ++i)
    if (extras[i]) mask |= 1U << i;
  out.pack_array(kFrameFields + static_cast<std::uint32_t>(std::popcount(mask)));
  out.pack_uint64(frame.number);
  out.pack_int64(frame.start.sinceEpoch.count());
  out.pack_int64(frame.duration.count());
  out.pack_uint32(frame.thread);
  out.pack_uint64(frame.minorFaults);
  out.pack_uint64(frame.majorFaults);
  out.pack_uint32(mask);
  for (const auto& extra : extras)
    if (extra) out.pack_uint64(*extra);
}

std::optional<Nanoseconds> duration(std::optional<std::uint64_t> count, TokenReader& in) {
  if (!count) return std::nullopt;
  if (*count > static_cast<std::uint64_t>(Nanoseconds::max().count())) in.fail();
  return Nanoseconds(static_cast<std::int64_t>(*count));
}

std::optional<FaultTimeParts> readParts(std::span<const std::optional<std::uint64_t>, 3> counts, TokenReader& in) {
  const auto onProcessor = duration(counts[0], in);
  const auto waiting = duration(counts[1], in);
  const auto blocked = duration(counts[2], in);
  if (!onProcessor || !waiting || !blocked) return std::nullopt;
  return FaultTimeParts{*onProcessor, *waiting, *blocked};
}

// Skips elements appended by a newer writer.
GameFrame readFrame(TokenReader& in) {
  const std::uint32_t fields = in.array();
  GameFrame frame;
  frame.number = in.u64();
  frame.start = {in.time()};
  frame.duration = in.time();
  frame.thread = static_cast<std::uint32_t>(in.u64());
  frame.minorFaults = in.u64();
  frame.majorFaults = in.u64();
  const std::uint64_t mask = in.u64();
  const auto values = static_cast<std::uint32_t>(std::popcount(mask));
  if (fields < kFrameFields + values) in.fail();
  if (!in.ok()) return frame;
  Extras extras;
  std::uint32_t read = kFrameFields;
  for (std::size_t i = 0; i < extras.size(); ++i) {
    if ((mask >> i & 1U) == 0) continue;
    extras[i] = in.u64();
    ++read;
  }
  frame.ownMinorFaults = extras[0];
  frame.ownMajorFaults = extras[1];
  frame.zeroedBytes = extras[2];
  frame.faultTime = duration(extras[3], in);
  frame.ownZeroedBytes = extras[4];
  frame.ownFaultTime = duration(extras[5], in);
  frame.timedFaults = extras[6];
  frame.faultParts = readParts(std::span(extras).subspan<7, 3>(), in);
  const auto own = readParts(std::span(extras).subspan<10, 3>(), in);
  const auto waiting = duration(extras[13], in);
  const auto sleeping = duration(extras[14], in);
  if (own && waiting && sleeping) frame.threadTime = ThreadTime{*own, *waiting, *sleeping};
  frame.teardown = duration(extras[15], in);
  frame.ownTeardown = duration(extras[16], in);
  in.skip(fields - read);
  return frame;
}

}  // namespace

void packGameFrames(const GameFrameBatch& batch, Packer& out) {
  const auto frames = std::span(batch.frames).first(std::min(batch.frames.size(), kMaxGameFrames));
  out.pack_array(kBatchFields + (batch.faultsAfter ? 1 : 0));
  out.pack_uint64(batch.lost + (batch.frames.size() - frames.size()));
  out.pack_uint64(batch.invalidMarks);
  out.pack_uint32(static_cast<std::uint32_t>(batch.state));
  out.pack_array(static_cast<std::uint32_t>(frames.size()));
  for (const GameFrame& frame : frames) packFrame(frame, out);
  if (batch.faultsAfter) out.pack_uint64(*batch.faultsAfter);
}

bool readGameFrames(TokenReader in, GameFrameBatch& batch) {
  batch.frames.clear();
  batch.faultsAfter.reset();
  const std::uint32_t fields = in.array();
  batch.lost = in.u64();
  batch.invalidMarks = in.u64();
  const std::uint64_t state = in.u64();
  if (fields < kBatchFields || state > static_cast<std::uint64_t>(GameState::ProgramLeft)) return false;
  batch.state = static_cast<GameState>(state);
  for (std::uint32_t count = in.array(); count > 0 && in.ok(); --count) {
    if (batch.frames.size() == kMaxGameFrames) return false;
    batch.frames.push_back(readFrame(in));
  }
  if (fields > kBatchFields && in.ok()) batch.faultsAfter = in.u64();
  return in.ok();
}

}  // namespace faultline::wire
