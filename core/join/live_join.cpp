#include "core/join/live_join.h"

#include <algorithm>

#include "core/join/frame_join.h"

namespace faultline {
namespace {

constexpr std::ptrdiff_t kRowsAtOnce = 256;

}  // namespace

void LiveJoin::addSlot(const GameFrame& slot) {
  if (m_slots.empty()) m_begin = slot.start.sinceEpoch;
  m_slots.push_back(slot);
  if (m_waiting.empty()) forget(slot.end().sinceEpoch - kPatience);
}

void LiveJoin::addFrames(std::span<const FrameSpan> frames) {
  for (const FrameSpan& frame : frames) {
    if (frame.start < m_last) {
      ++m_lost;
      continue;
    }
    m_last = frame.start;
    m_waiting.push_back(frame);
  }
}

void LiveJoin::take(std::vector<GameFrame>& out) {
  if (m_slots.empty() || m_waiting.empty()) return;
  std::erase_if(m_waiting, [this](const FrameSpan& frame) { return frame.start < m_begin; });
  const Nanoseconds known = m_slots.back().end().sinceEpoch;
  const auto later = std::ranges::find_if(m_waiting, [&](const FrameSpan& frame) { return frame.end() > known; });
  if (later == m_waiting.begin()) return;
  const std::span ready(m_waiting.begin(), later);
  const Nanoseconds until = ready.back().start;
  JoinedFrames joined = joinFrames(ready, m_slots, {});
  for (GameFrame& frame : joined.frames) frame.number += m_number;
  out.insert(out.end(), joined.frames.begin(), joined.frames.end());
  m_number += ready.size();
  m_lost += joined.outside;
  m_waiting.erase(m_waiting.begin(), later);
  forget(until);
}

// Many at once, because those that stay move.
void LiveJoin::forget(Nanoseconds until) {
  const auto kept =
      std::ranges::find_if(m_slots, [&](const GameFrame& slot) { return slot.end().sinceEpoch >= until; });
  const auto end = std::min(kept, m_slots.end() - 1);
  if (end - m_slots.begin() >= kRowsAtOnce) m_slots.erase(m_slots.begin(), end);
}

}  // namespace faultline
