#include "core/stream/game_frames_codec.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "core/base/varint.h"

namespace faultline::wire {
namespace {

constexpr std::uint32_t kBatchFields = 4;
constexpr std::uint32_t kFixedFields = 7;  // elements before the values of the mask

constexpr std::uint64_t frameBit(FrameMetric metric) {
  return std::uint64_t{1} << static_cast<unsigned>(metric);
}

// The numbers that follow the mask: a bit each, in the order of FrameMetric.
std::uint64_t frameMask(const FrameValues& values) {
  constexpr std::uint64_t kBefore = frameBit(FrameMetric::MinorFaults) | frameBit(FrameMetric::MajorFaults);
  return (values.present() & ~kBefore) | (values.majorFaults() ? 0 : frameBit(FrameMetric::MinorFaults));
}

template <class Visit>
void forEachBit(std::uint64_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<FrameMetric>(std::countr_zero(mask)));
}

// Takes the numbers of `mask` from next(), those of newer writers too. False: a time is beyond the longest.
template <class Next>
[[nodiscard]] bool takeFrameValues(std::uint64_t mask, Next next, FrameValues& values) {
  bool valid = true;
  forEachBit(mask, [&](FrameMetric metric) {
    const std::uint64_t value = next();
    if (static_cast<std::size_t>(metric) >= kFrameMetricCount) return;
    values.set(metric, value);
    valid = valid && (!isTime(metric) || value <= static_cast<std::uint64_t>(Nanoseconds::max().count()));
  });
  if ((mask & frameBit(FrameMetric::MinorFaults)) != 0) values.clear(FrameMetric::MajorFaults);
  values.clearIncomplete();
  return valid;
}

void packFrame(const GameFrame& frame, Packer& out) {
  const std::uint64_t mask = frameMask(frame.values);
  out.pack_array(kFixedFields + static_cast<std::uint32_t>(std::popcount(mask)));
  out.pack_uint64(frame.number);
  out.pack_int64(frame.start.sinceEpoch.count());
  out.pack_int64(frame.duration.count());
  out.pack_uint32(frame.thread);
  out.pack_uint64(frame.values.minorFaults());
  out.pack_uint64(frame.values.majorFaults().value_or(0));
  out.pack_uint64(mask);
  forEachBit(mask, [&](FrameMetric metric) { out.pack_uint64(frame.values.get(metric).value_or(0)); });
}

// Skips elements appended by a newer writer.
GameFrame readFrame(TokenReader& in) {
  const std::uint32_t fields = in.array();
  GameFrame frame;
  frame.number = in.u64();
  frame.start = {in.time()};
  frame.duration = in.time();
  frame.thread = static_cast<std::uint32_t>(in.u64());
  frame.values.set(FrameMetric::MinorFaults, in.u64());
  frame.values.set(FrameMetric::MajorFaults, in.u64());
  const std::uint64_t mask = in.u64();
  const auto values = static_cast<std::uint32_t>(std::popcount(mask));
  if (fields < kFixedFields + values) in.fail();
  if (!in.ok()) return frame;
  if (!takeFrameValues(mask, [&] { return in.u64(); }, frame.values)) in.fail();
  in.skip(fields - kFixedFields - values);
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

}  // namespace

void putFrameRow(const GameFrame& frame, const GameFrame& before, std::vector<std::uint8_t>& out) {
  const std::uint64_t mask = frameMask(frame.values);
  putDifference(frame.number, before.number, out);
  putDifference(count(frame.start), count(before.end()), out);
  putVarint(static_cast<std::uint64_t>(frame.duration.count()), out);
  putDifference(frame.thread, before.thread, out);
  putVarint(frame.values.minorFaults(), out);
  putVarint(frame.values.majorFaults().value_or(0), out);
  putVarint(mask, out);
  forEachBit(mask, [&](FrameMetric metric) { putVarint(frame.values.get(metric).value_or(0), out); });
}

bool takeFrameRow(std::span<const std::uint8_t>& bytes, const GameFrame& before, GameFrame& frame) {
  constexpr auto kLongest = static_cast<std::uint64_t>(kLongestUp.count());
  frame.number = takeDifference(before.number, bytes);
  const std::uint64_t start = takeDifference(count(before.end()), bytes);
  const std::uint64_t duration = takeVarint(bytes);
  frame.start = {Nanoseconds(static_cast<std::int64_t>(start))};
  frame.duration = Nanoseconds(static_cast<std::int64_t>(duration));
  frame.thread = static_cast<std::uint32_t>(takeDifference(before.thread, bytes));
  frame.values.set(FrameMetric::MinorFaults, takeVarint(bytes));
  frame.values.set(FrameMetric::MajorFaults, takeVarint(bytes));
  const std::uint64_t mask = takeVarint(bytes);
  return takeFrameValues(
             mask, [&] { return takeVarint(bytes); }, frame.values) &&
         start <= kLongest && duration <= kLongest;
}

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
    putFrameRow(frame, before, rows);
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
    if (batch.frames.size() == kMaxGameFrames || !takeFrameRow(rows, before, batch.frames.emplace_back())) return false;
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
