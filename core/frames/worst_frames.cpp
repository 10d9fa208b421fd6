#include "core/frames/worst_frames.h"

#include <algorithm>

namespace faultline {

void WorstFrames::add(std::uint64_t place, const JudgedFrame& judged) {
  const auto worse = [](const JudgedFrame& a, const Row& b) { return worseThan(a, b.judged); };
  if (!judged.verdict.costly && !judged.verdict.late) return;
  if (m_rows.size() == m_most && !worse(judged, m_rows.back())) return;
  m_rows.insert(std::upper_bound(m_rows.begin(), m_rows.end(), judged, worse), {place, judged});
  if (m_rows.size() > m_most) m_rows.pop_back();
}

void WorstFrames::forgetBefore(std::uint64_t place) {
  std::erase_if(m_rows, [&](const Row& row) { return row.place < place; });
}

}  // namespace faultline
