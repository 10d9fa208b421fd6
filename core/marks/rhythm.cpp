#include "core/marks/rhythm.h"

#include <algorithm>
#include <functional>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kAtFirst = 1ms;  // the same while few gaps are known
constexpr Nanoseconds kMost = 5ms;     // so no frame of a game with up to 200 frames a second is missed
constexpr std::size_t kFewGaps = 16;
constexpr int kShare = 4;

}  // namespace

bool CallRhythm::begins(MonotonicTime time) {
  if (!m_last) {
    m_last = time;
    return true;
  }
  const Nanoseconds gap = time - *m_last;
  if (gap < 0ns) return false;
  const bool begins = gap >= shortest();
  m_last = time;
  m_gaps[m_count++ % m_gaps.size()] = gap;
  return begins;
}

// A quarter of a usual gap between pictures: one of the longest gaps, but not one of the few that a game at a
// standstill makes.
Nanoseconds CallRhythm::shortest() const {
  if (m_count < kFewGaps) return kAtFirst;
  auto gaps = m_gaps;
  const auto known = static_cast<std::ptrdiff_t>(std::min(m_count, gaps.size()));
  const auto usual = gaps.begin() + known / static_cast<std::ptrdiff_t>(kFewGaps);
  std::nth_element(gaps.begin(), usual, gaps.begin() + known, std::greater<>());
  return std::min(*usual / kShare, kMost);
}

}  // namespace faultline
