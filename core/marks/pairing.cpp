#include "core/marks/pairing.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr std::size_t kMostUnpaired = 16'384;  // notes may never arrive for these

}  // namespace

void MarkPairing::measured(const FrameMark& mark) {
  m_measured.push_back(mark);
  if (m_measured.size() > kMostUnpaired) m_measured.pop_front();
}

void MarkPairing::turn() {
  for (Note& note : m_notes) ++note.turns;
}

std::optional<FrameMark> MarkPairing::next(bool all) {
  if (m_notes.empty()) return std::nullopt;
  FrameMark mark = m_notes.front().mark;
  while (!m_measured.empty() && m_measured.front().number < mark.number) m_measured.pop_front();
  if (m_measured.empty()) {
    if (!all && m_notes.front().turns < kMaxTurns) return std::nullopt;
  } else if (m_measured.front().number == mark.number) {
    const FrameMark& with = m_measured.front();
    mark.readLater = std::max(with.time - mark.time, Nanoseconds(0));
    for (const FrameField& row : kFrameFields)
      if (row.group != FrameGroup::Faults) mark.values.set(row.metric, with.values.get(row.metric));
    m_measured.pop_front();
  }
  m_notes.pop_front();
  return mark;
}

}  // namespace faultline
