#include "core/stream/game_frames_codec.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "core/model/frame_row.h"

namespace faultline::wire {
namespace {

constexpr std::uint32_t kBatchFields = 4;
constexpr std::uint32_t kFixedFields = 7;  // elements before the values of the mask

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
  forEachMetric<FrameMetric>(mask, [&](FrameMetric metric) { out.pack_uint64(frame.values.get(metric).value_or(0)); });
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

bool isPossible(Nanoseconds time) {
  return time >= Nanoseconds(0) && time <= kLongestUp;
}

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
    if (!isPossible(before.start.sinceEpoch) || !isPossible(before.duration)) return false;
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
