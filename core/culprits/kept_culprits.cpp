#include "core/culprits/kept_culprits.h"

#include <algorithm>
#include <utility>

namespace faultline {

void KeptCulprits::add(std::uint64_t place, std::size_t samples, std::shared_ptr<const Culprits> culprits) {
  m_kept[place] = {std::move(culprits), samples, ++m_uses};
  if (m_kept.size() > std::max<std::size_t>(m_most, 1))
    m_kept.erase(std::ranges::min_element(m_kept, {}, [](const auto& kept) { return kept.second.used; }));
}

std::shared_ptr<const Culprits> KeptCulprits::find(std::uint64_t place) {
  const auto kept = m_kept.find(place);
  if (kept == m_kept.end()) return nullptr;
  kept->second.used = ++m_uses;
  return kept->second.culprits;
}

std::size_t KeptCulprits::samplesOf(std::uint64_t place) const {
  const auto kept = m_kept.find(place);
  return kept == m_kept.end() ? 0 : kept->second.samples;
}

}  // namespace faultline
