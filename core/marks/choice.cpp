#include "core/marks/choice.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr Nanoseconds kSilence = std::chrono::seconds(1);

}  // namespace

MarkChoice::MarkChoice(std::span<const ProbeCalls> candidates) : m_calls(candidates.size()) {
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i] == ProbeCalls::Parts) m_calls[i].rhythm.emplace();
}

bool MarkChoice::ends(std::size_t candidate, MonotonicTime time) {
  if (candidate >= m_calls.size()) return false;
  Calls& calls = m_calls[candidate];
  if (!calls.alone) calls.alone = time;
  if (takesOver(candidate, time)) {
    m_chosen = candidate;
    m_changed = true;
  }
  const bool further = calls.rhythm && !calls.rhythm->begins(time);
  if (further) ++calls.parts;
  calls.last = calls.last ? std::max(*calls.last, time) : time;
  if (candidate != m_chosen) return false;
  for (Calls& others : m_calls) others.alone.reset();
  return !further;
}

// A preferred candidate must be called at least once a second, or it would alternate with the chosen one (a second
// window, for example). A less preferred one must be called for a second without the chosen one: its call may merely
// precede it.
bool MarkChoice::takesOver(std::size_t candidate, MonotonicTime time) const {
  if (candidate == m_chosen) return false;
  if (!m_chosen) return true;
  const Calls& calls = m_calls[candidate];
  if (candidate < *m_chosen) return !calls.last || time - *calls.last <= kSilence;
  return calls.alone && time - *calls.alone > kSilence;
}

}  // namespace faultline
