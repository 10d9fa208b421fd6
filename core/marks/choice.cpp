#include "core/marks/choice.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr Nanoseconds kSecond = std::chrono::seconds(1);
constexpr Nanoseconds kSilence = kSecond;
constexpr unsigned kFew = 10;  // calls per second
constexpr unsigned kFar = 4;   // times as many

}  // namespace

void CallPace::note(MonotonicTime time) {
  const Nanoseconds since = time - m_begin;
  if (since >= kSecond) {
    m_before = since < 2 * kSecond ? m_count : 0;
    m_count = 0;
    m_begin = since < 2 * kSecond ? m_begin + kSecond : time;
  }
  ++m_count;
}

unsigned CallPace::perSecond(MonotonicTime time) const {
  const Nanoseconds since = time - m_begin;
  if (since >= 2 * kSecond) return 0;
  return since >= kSecond ? m_count : std::max(m_before, m_count);
}

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
    m_chosenAt = time;
    m_changed = true;
  }
  const bool further = calls.rhythm && !calls.rhythm->begins(time);
  if (further) ++calls.parts;
  else calls.pace.note(time);
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
  if (candidate < *m_chosen)
    return !calls.last || (time - *calls.last <= kSilence && !isFarRarer(candidate, *m_chosen, time));
  if (calls.alone && time - *calls.alone > kSilence) return true;
  return time - m_chosenAt > 2 * kSecond && isFarRarer(*m_chosen, candidate, time);
}

bool MarkChoice::isFarRarer(std::size_t candidate, std::size_t other, MonotonicTime time) const {
  const unsigned rare = m_calls[candidate].pace.perSecond(time);
  const unsigned often = m_calls[other].pace.perSecond(time);
  return rare < kFew && often >= kFew && often >= kFar * rare;
}

}  // namespace faultline
