#include "core/stream/game_frames_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "core/base/varint.h"

namespace faultline::wire {
namespace {

constexpr std::uint32_t kBatchFields = 4;
constexpr std::uint32_t kFrameFields = 7;  // elements before the values of the mask

using Extras = std::array<std::optional<std::uint64_t>, 22>;  // one element for each bit of the mask

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
  const auto delay = [&](auto of) { return frame.delay ? of(*frame.delay) : std::nullopt; };
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
          count(frame.ownTeardown),
          delay([&](const FrameDelay& of) { return count(of.added); }),
          delay([&](const FrameDelay& of) { return count(of.ownAdded); }),
          delay([&](const FrameDelay& of) { return count(of.ownAwaited); }),
          delay([&](const FrameDelay& of) { return std::optional(2 * of.pair + (of.delayed ? 1 : 0)); }),
          frame.majorFaults ? std::nullopt : std::optional(frame.minorFaults)};
}

std::uint32_t maskOf(const Extras& extras) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < extras.size(); ++i)
    if (extras[i]) mask |= 1U << i;
  return mask;
}

void packFrame(const GameFrame& frame, Packer& out) {
  const Extras extras = extrasOf(frame);
  const std::uint32_t mask = maskOf(extras);
  out.pack_array(kFrameFields + static_cast<std::uint32_t>(std::popcount(mask)));
  out.pack_uint64(frame.number);
  out.pack_int64(frame.start.sinceEpoch.count());
  out.pack_int64(frame.duration.count());
  out.pack_uint32(frame.thread);
  out.pack_uint64(frame.minorFaults);
  out.pack_uint64(frame.majorFaults.value_or(0));
  out.pack_uint32(mask);
  for (const auto& extra : extras)
    if (extra) out.pack_uint64(*extra);
}

// False if a time is beyond the longest.
bool takeExtras(const Extras& extras, GameFrame& frame) {
  bool valid = true;
  const auto duration = [&](std::size_t bit) -> std::optional<Nanoseconds> {
    if (!extras.at(bit)) return std::nullopt;
    valid = valid && *extras.at(bit) <= static_cast<std::uint64_t>(Nanoseconds::max().count());
    return Nanoseconds(static_cast<std::int64_t>(*extras.at(bit)));
  };
  const auto parts = [&](std::size_t bit) -> std::optional<FaultTimeParts> {
    const auto onProcessor = duration(bit);
    const auto waiting = duration(bit + 1);
    const auto blocked = duration(bit + 2);
    if (!onProcessor || !waiting || !blocked) return std::nullopt;
    return FaultTimeParts{*onProcessor, *waiting, *blocked};
  };
  frame.ownMinorFaults = extras[0];
  frame.ownMajorFaults = extras[1];
  frame.zeroedBytes = extras[2];
  frame.faultTime = duration(3);
  frame.ownZeroedBytes = extras[4];
  frame.ownFaultTime = duration(5);
  frame.timedFaults = extras[6];
  frame.faultParts = parts(7);
  const auto own = parts(10);
  const auto waiting = duration(13);
  const auto sleeping = duration(14);
  if (own && waiting && sleeping) frame.threadTime = ThreadTime{*own, *waiting, *sleeping};
  frame.teardown = duration(15);
  frame.ownTeardown = duration(16);
  if (const auto added = duration(17); added && extras[20])
    frame.delay = FrameDelay{.added = *added,
                             .ownAdded = duration(18),
                             .ownAwaited = duration(19),
                             .pair = *extras[20] / 2,
                             .delayed = *extras[20] % 2 == 1};
  if (extras[21]) frame.majorFaults.reset();
  return valid;
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
  if (!takeExtras(extras, frame)) in.fail();
  in.skip(fields - read);
  return frame;
}

// Differences are modulo 2^64.
void putDifference(std::uint64_t value, std::uint64_t before, std::vector<std::uint8_t>& out) {
  putSignedVarint(static_cast<std::int64_t>(value - before), out);
}
std::uint64_t takeDifference(std::uint64_t before, std::span<const std::uint8_t>& bytes) {
  return before + static_cast<std::uint64_t>(takeSignedVarint(bytes));
}
std::uint64_t count(MonotonicTime time) {
  return static_cast<std::uint64_t>(time.sinceEpoch.count());
}

void putRow(const GameFrame& frame, const GameFrame& before, std::vector<std::uint8_t>& out) {
  const Extras extras = extrasOf(frame);
  putDifference(frame.number, before.number, out);
  putDifference(count(frame.start), count(before.end()), out);
  putVarint(static_cast<std::uint64_t>(frame.duration.count()), out);
  putDifference(frame.thread, before.thread, out);
  putVarint(frame.minorFaults, out);
  putVarint(frame.majorFaults.value_or(0), out);
  putVarint(maskOf(extras), out);
  for (const auto& extra : extras)
    if (extra) putVarint(*extra, out);
}

bool takeRow(std::span<const std::uint8_t>& bytes, const GameFrame& before, GameFrame& frame) {
  constexpr auto kLongest = static_cast<std::uint64_t>(kLongestUp.count());
  frame.number = takeDifference(before.number, bytes);
  const std::uint64_t start = takeDifference(count(before.end()), bytes);
  const std::uint64_t duration = takeVarint(bytes);
  frame.start = {Nanoseconds(static_cast<std::int64_t>(start))};
  frame.duration = Nanoseconds(static_cast<std::int64_t>(duration));
  frame.thread = static_cast<std::uint32_t>(takeDifference(before.thread, bytes));
  frame.minorFaults = takeVarint(bytes);
  frame.majorFaults = takeVarint(bytes);
  const std::uint64_t mask = takeVarint(bytes);
  Extras extras;
  for (std::size_t i = 0; i < 64; ++i) {
    if ((mask >> i & 1U) == 0) continue;
    const std::uint64_t value = takeVarint(bytes);
    if (i < extras.size()) extras.at(i) = value;  // else appended by a newer writer
  }
  return start <= kLongest && duration <= kLongest && takeExtras(extras, frame);
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

void packRecordedFrames(const GameFrameBatch& batch, Packer& out) {
  const auto frames = std::span(batch.frames).first(std::min(batch.frames.size(), kMaxGameFrames));
  std::vector<std::uint8_t> rows;
  GameFrame before;
  for (const GameFrame& frame : frames) {
    putRow(frame, before, rows);
    before = frame;
  }
  out.pack_array(kBatchFields + (batch.faultsAfter ? 1 : 0));
  out.pack_uint64(batch.lost + (batch.frames.size() - frames.size()));
  out.pack_uint64(batch.invalidMarks);
  out.pack_uint32(static_cast<std::uint32_t>(batch.state));
  packBytes(out, rows);
  if (batch.faultsAfter) out.pack_uint64(*batch.faultsAfter);
}

namespace {

// Reads the totals with which both kinds of batches begin, and returns the number of fields.
std::optional<std::uint32_t> readTotals(TokenReader& in, GameFrameBatch& batch) {
  batch.frames.clear();
  batch.faultsAfter.reset();
  const std::uint32_t fields = in.array();
  batch.lost = in.u64();
  batch.invalidMarks = in.u64();
  const std::uint64_t state = in.u64();
  if (fields < kBatchFields || state > static_cast<std::uint64_t>(GameState::ProgramLeft)) return std::nullopt;
  batch.state = static_cast<GameState>(state);
  return fields;
}

}  // namespace

bool readRecordedFrames(TokenReader in, GameFrameBatch& batch) {
  const auto fields = readTotals(in, batch);
  if (!fields) return false;
  GameFrame before;
  for (auto rows = bytesOf(in.bytes()); !rows.empty();) {
    if (batch.frames.size() == kMaxGameFrames || !takeRow(rows, before, batch.frames.emplace_back())) return false;
    before = batch.frames.back();
  }
  if (*fields > kBatchFields && in.ok()) batch.faultsAfter = in.u64();
  return in.ok();
}

bool readGameFrames(TokenReader in, GameFrameBatch& batch) {
  const auto fields = readTotals(in, batch);
  if (!fields) return false;
  for (std::uint32_t count = in.array(); count > 0 && in.ok(); --count) {
    if (batch.frames.size() == kMaxGameFrames) return false;
    batch.frames.push_back(readFrame(in));
  }
  if (*fields > kBatchFields && in.ok()) batch.faultsAfter = in.u64();
  return in.ok();
}

}  // namespace faultline::wire
