#include "core/model/frame_row.h"

#include "core/base/varint.h"

namespace faultline {
namespace {

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
  forEachMetric<FrameMetric>(mask, [&](FrameMetric metric) { putVarint(frame.values.get(metric).value_or(0), out); });
}

bool takeFrameRow(std::span<const std::uint8_t>& bytes, const GameFrame& before, GameFrame& frame) {
  frame.number = takeDifference(before.number, bytes);
  const std::uint64_t start = takeDifference(count(before.end()), bytes);
  const std::uint64_t duration = takeVarint(bytes);
  frame.start = {Nanoseconds(static_cast<std::int64_t>(start))};
  frame.duration = Nanoseconds(static_cast<std::int64_t>(duration));
  frame.thread = static_cast<std::uint32_t>(takeDifference(before.thread, bytes));
  frame.values.set(FrameMetric::MinorFaults, takeVarint(bytes));
  frame.values.set(FrameMetric::MajorFaults, takeVarint(bytes));
  const std::uint64_t mask = takeVarint(bytes);
  return takeFrameValues(mask, [&] { return takeVarint(bytes); }, frame.values);
}

bool PackedFrames::add(const GameFrame& frame) {
  if (m_bytes.size() >= m_most) return false;
  putFrameRow(frame, m_last, m_bytes);
  m_last = frame;
  return true;
}

void PackedFrames::visit(const std::function<void(const GameFrame&)>& visitor) const {
  GameFrame before;
  for (std::span<const std::uint8_t> rest(m_bytes); !rest.empty();) {
    GameFrame frame;
    static_cast<void>(takeFrameRow(rest, before, frame));  // false also for times that no stream may have
    visitor(frame);
    before = std::move(frame);
  }
}

void PackedFrames::clear() {
  m_bytes = {};
  m_last = {};
}

}  // namespace faultline
