#include "core/marks/numbering.h"

namespace faultline {
namespace {

constexpr std::size_t kMostNotes = 16'384;
constexpr std::size_t kMostMeasured = 16'384;

}  // namespace

void MarkNumbering::noted(const FrameMark& mark) {
  m_notes.push_back({mark});
  if (m_notes.size() > kMostNotes) m_notes.pop_front();
}

void MarkNumbering::measured(const FrameMark& measurement) {
  m_measured.push_back(measurement);
  if (m_measured.size() > kMostMeasured) m_measured.pop_front();
}

// A measurement belongs to the thread's last note before it, unless an earlier measurement took that note. Without a
// later note of the thread, the right note may still arrive.
std::optional<FrameMark> MarkNumbering::next() {
  for (auto measurement = m_measured.begin(); measurement != m_measured.end();) {
    Note* last = nullptr;
    bool settled = false;
    for (auto note = m_notes.rbegin(); last == nullptr && note != m_notes.rend(); ++note) {
      if (note->mark.thread != measurement->thread) continue;
      if (note->mark.time <= measurement->time) last = &*note;
      else settled = true;
    }
    if (last != nullptr && !last->taken) {
      last->taken = true;
      FrameMark found = *measurement;
      found.number = last->mark.number;
      m_measured.erase(measurement);
      return found;
    }
    if (settled) measurement = m_measured.erase(measurement);
    else ++measurement;
  }
  return std::nullopt;
}

}  // namespace faultline
