#include "core/frames/history.h"

#include <algorithm>
#include <bit>

#include "core/base/varint.h"
#include "core/model/frame_row.h"

namespace faultline {
namespace {

// The yes and no of a verdict.
constexpr std::array kFlags{
    &FrameVerdict::estimated,        &FrameVerdict::costly,         &FrameVerdict::late,
    &FrameVerdict::lateByFaults,     &FrameVerdict::lateByTeardown, &FrameVerdict::perhapsByTeardown,
    &FrameVerdict::perhapsByFaults,  &FrameVerdict::likely,         &FrameVerdict::lateBySampling,
    &FrameVerdict::perhapsByWatching};
// After them.
constexpr std::uint64_t kTime = 1U << kFlags.size();
constexpr std::uint64_t kTimeIsMeasured = kTime << 1U;  // equals the frame's own
constexpr std::uint64_t kExcess = kTime << 2U;
constexpr std::uint64_t kExplained = kTime << 3U;
constexpr std::uint64_t kDeadline = kTime << 4U;
constexpr std::uint64_t kOtherDeadline = kTime << 5U;
constexpr std::uint64_t kPathTime = kTime << 6U;
constexpr std::uint64_t kWithWaits = kTime << 7U;

std::uint64_t flagsOf(const JudgedFrame& judged, const JudgedFrame& before) {
  const FrameVerdict& v = judged.verdict;
  std::uint64_t flags = 0;
  for (std::size_t i = 0; i < kFlags.size(); ++i) flags |= std::uint64_t{v.*kFlags.at(i)} << i;
  const bool measured = v.faultTime == judged.frame.time(FrameMetric::FaultTime);
  if (v.faultTime) flags |= measured ? kTimeIsMeasured : kTime;
  return flags | (v.pathTime ? kPathTime : 0) | (v.excess.count() != 0 ? kExcess : 0) | (v.explained ? kExplained : 0) |
         (v.withWaits != 0 ? kWithWaits : 0) | (v.deadline ? kDeadline : 0) |
         (v.deadline && v.deadline != before.verdict.deadline ? kOtherDeadline : 0);
}

// Appends `judged` as its difference to `before`: the frame that was packed before it, or JudgedFrame{} for the first.
// Loses nothing, and takes about 30 bytes.
void packFrame(const JudgedFrame& judged, const JudgedFrame& before, std::vector<std::uint8_t>& out) {
  const FrameVerdict& v = judged.verdict;
  const std::uint64_t flags = flagsOf(judged, before);
  putFrameRow(judged.frame, before.frame, out);
  putVarint(flags, out);
  if ((flags & kTime) != 0) putSignedVarint(v.faultTime->count(), out);
  if ((flags & kPathTime) != 0) putSignedVarint(v.pathTime->count(), out);
  if ((flags & kExcess) != 0) putSignedVarint(v.excess.count(), out);
  if ((flags & kExplained) != 0) putVarint(std::bit_cast<std::uint64_t>(*v.explained), out);
  if ((flags & kWithWaits) != 0) putVarint(std::bit_cast<std::uint64_t>(v.withWaits), out);
  if ((flags & kOtherDeadline) == 0) return;
  putSignedVarint(v.deadline->after.count(), out);
  putVarint(static_cast<std::uint8_t>(v.deadline->by), out);
}

JudgedFrame unpackFrame(std::span<const std::uint8_t>& bytes, const JudgedFrame& before) {
  JudgedFrame judged;
  FrameVerdict& v = judged.verdict;
  static_cast<void>(takeFrameRow(bytes, before.frame, judged.frame));  // false also for times that no stream may have
  const std::uint64_t flags = takeVarint(bytes);
  for (std::size_t i = 0; i < kFlags.size(); ++i) v.*kFlags.at(i) = (flags >> i & 1U) != 0;
  if ((flags & kTimeIsMeasured) != 0) v.faultTime = judged.frame.time(FrameMetric::FaultTime);
  if ((flags & kTime) != 0) v.faultTime = Nanoseconds(takeSignedVarint(bytes));
  if ((flags & kPathTime) != 0) v.pathTime = Nanoseconds(takeSignedVarint(bytes));
  if ((flags & kExcess) != 0) v.excess = Nanoseconds(takeSignedVarint(bytes));
  if ((flags & kExplained) != 0) v.explained = std::bit_cast<double>(takeVarint(bytes));
  if ((flags & kWithWaits) != 0) v.withWaits = std::bit_cast<double>(takeVarint(bytes));
  if ((flags & kDeadline) != 0) v.deadline = before.verdict.deadline;
  if ((flags & kOtherDeadline) == 0) return judged;
  const Nanoseconds after(takeSignedVarint(bytes));
  v.deadline = {after, static_cast<DeadlineBy>(takeVarint(bytes))};
  return judged;
}

MonotonicTime endOf(const GameFrame& frame) {
  return frame.start + frame.duration;
}

FrameStretch stretchOf(std::uint64_t place, const JudgedFrame& judged) {
  FrameStretch stretch{.longest = place,
                       .duration = judged.frame.duration,
                       .memory = judged.verdict.memoryTime(),
                       .mostFaults = judged.frame.faults(),
                       .flagged = {},
                       .flaggedWeight = 0,
                       .flaggedLate = judged.verdict.lateByMemory()};
  if (!judged.marked()) return stretch;
  stretch.flagged = place;
  stretch.flaggedWeight = faultWeight(judged);
  return stretch;
}

void joinInto(std::optional<FrameStretch>& all, const FrameStretch& one) {
  if (all) all->join(one);
  else all = one;
}

}  // namespace

void FrameStretch::join(const FrameStretch& other) {
  if (other.duration > duration) {
    longest = other.longest;
    duration = other.duration;
    memory = other.memory;
  }
  mostFaults = std::max(mostFaults, other.mostFaults);
  if (!other.flagged) return;
  const bool worse = other.flaggedLate != flaggedLate ? other.flaggedLate : other.flaggedWeight > flaggedWeight;
  if (flagged && !worse) return;
  flagged = other.flagged;
  flaggedWeight = other.flaggedWeight;
  flaggedLate = other.flaggedLate;
}

void FrameHistory::beginAt(std::uint64_t place) {
  m_begin = m_end = place;
  std::uint64_t frames = kBlock;
  for (Level& level : m_levels) {
    level.first = place / frames;
    frames *= kFan;
  }
}

bool FrameHistory::add(const JudgedFrame& judged) {
  if (judged.frame.duration < Nanoseconds(0) || (!empty() && judged.frame.start < endOf(m_last.frame))) return false;
  if (m_end % kBlock == 0) {
    if (!m_blocks.empty()) m_blocks.back().bytes.shrink_to_fit();
    m_blocks.push_back({.start = judged.frame.start, .bytes = {}, .frames = 0});
    m_bytes += sizeof(Block);
  }
  Block& block = m_blocks.back();
  const std::size_t before = block.bytes.size();
  packFrame(judged, block.frames == 0 ? JudgedFrame{} : m_last, block.bytes);
  m_bytes += block.bytes.size() - before;
  ++block.frames;
  summarise(judged);
  m_last = judged;
  ++m_end;
  while (m_bytes > m_budget && m_blocks.size() > 1) forgetOldest();
  return true;
}

void FrameHistory::summarise(const JudgedFrame& judged) {
  const FrameStretch one = stretchOf(m_end, judged);
  std::uint64_t frames = kBlock;
  for (Level& level : m_levels) {
    const std::uint64_t number = m_end / frames - level.first;
    if (number == level.stretches.size()) {
      level.stretches.push_back(one);
      m_bytes += sizeof(FrameStretch);
    } else {
      level.stretches.back().join(one);
    }
    frames *= kFan;
  }
}

// A summary is dropped together with the last of its frames.
void FrameHistory::forgetOldest() {
  m_bytes -= sizeof(Block) + m_blocks.front().bytes.size();
  m_blocks.pop_front();
  m_begin += kBlock;
  std::uint64_t frames = kBlock;
  for (Level& level : m_levels) {
    if ((level.first + 1) * frames <= m_begin) {
      level.stretches.pop_front();
      ++level.first;
      m_bytes -= sizeof(FrameStretch);
    }
    frames *= kFan;
  }
}

MonotonicTime FrameHistory::oldest() const {
  return m_blocks.front().start;
}

MonotonicTime FrameHistory::newest() const {
  return endOf(m_last.frame);
}

template <class Visitor>
void FrameHistory::walk(std::uint64_t from, std::uint64_t to, Visitor&& visitor) const {
  while (from < to) {
    const std::uint64_t number = from / kBlock;
    std::span<const std::uint8_t> bytes = block(number).bytes;
    JudgedFrame judged;
    const std::uint64_t end = std::min(to, (number + 1) * kBlock);
    for (std::uint64_t place = number * kBlock; place < end; ++place) {
      judged = unpackFrame(bytes, judged);
      if (place >= from && !visitor(place, judged)) return;
    }
    from = end;
  }
}

JudgedFrame FrameHistory::at(std::uint64_t place) const {
  JudgedFrame found;
  walk(place, place + 1, [&](std::uint64_t, const JudgedFrame& judged) {
    found = judged;
    return false;
  });
  return found;
}

std::uint64_t FrameHistory::placeAt(MonotonicTime time) const {
  const auto after = std::ranges::upper_bound(m_blocks, time, {}, &Block::start);
  if (after == m_blocks.begin()) return m_begin;
  const auto number = m_begin / kBlock + static_cast<std::uint64_t>(after - m_blocks.begin()) - 1;
  std::uint64_t found = std::min((number + 1) * kBlock, m_end);
  walk(number * kBlock, found, [&](std::uint64_t place, const JudgedFrame& judged) {
    if (endOf(judged.frame) <= time) return true;
    found = place;
    return false;
  });
  return found;
}

void FrameHistory::joinFrames(std::uint64_t from, std::uint64_t to, std::optional<FrameStretch>& out) const {
  walk(from, to, [&](std::uint64_t place, const JudgedFrame& judged) {
    joinInto(out, stretchOf(place, judged));
    return true;
  });
}

// Works from both ends towards the middle: single frames up to whole blocks, then blocks of each higher level.
std::optional<FrameStretch> FrameHistory::stretch(std::uint64_t from, std::uint64_t to) const {
  from = std::max(from, m_begin);
  to = std::min(to, m_end);
  std::optional<FrameStretch> all;
  const std::uint64_t fromWhole = (from + kBlock - 1) / kBlock * kBlock;
  const std::uint64_t toWhole = to / kBlock * kBlock;
  if (fromWhole >= toWhole) {
    joinFrames(from, to, all);
    return all;
  }
  joinFrames(from, fromWhole, all);
  joinFrames(toWhole, to, all);
  std::uint64_t first = fromWhole / kBlock;
  std::uint64_t last = toWhole / kBlock;
  for (std::size_t l = 0; l < kLevels && first < last; ++l) {
    const Level& level = m_levels.at(l);
    const bool top = l + 1 == kLevels;
    for (; first < last && (top || first % kFan != 0); ++first) joinInto(all, level.stretches[first - level.first]);
    for (; first < last && last % kFan != 0; --last) joinInto(all, level.stretches[last - 1 - level.first]);
    first /= kFan;
    last /= kFan;
  }
  return all;
}

void FrameHistory::visit(std::uint64_t from, std::uint64_t to,
                         const std::function<void(std::uint64_t, const JudgedFrame&)>& visitor) const {
  walk(std::max(from, m_begin), std::min(to, m_end), [&](std::uint64_t place, const JudgedFrame& judged) {
    visitor(place, judged);
    return true;
  });
}

}  // namespace faultline
