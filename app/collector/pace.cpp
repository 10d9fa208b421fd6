#include "app/collector/pace.h"

#include <algorithm>

#include "core/text/duration.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

// Half of the bound may be spent as time passes, and half of a minute's at once: together no minute has more.
constexpr double kShare = kMostShare / 2;
constexpr double kMostSaved = kShare * 60e9;
// No faster interval is begun if the savings do not last so long.
constexpr double kLasts = 5e9;
constexpr double kMostAtOnce = 0.1;  // share of a core
constexpr double kNewest = 0.1;      // weight of the newest sweep in the average

}  // namespace

std::string fasterWords() {
  return "up to every " + durationText(kFastest) + " while a spike runs or a game is watched, for at most " +
         formatPercent(kMostShare) + " of a core over a minute";
}

Nanoseconds Pace::next(MonotonicTime now, std::optional<std::uint64_t> used, bool wanted) {
  account(now, used);
  m_interval = wanted && m_cost > 0 && m_saved >= 0 ? affordable() : m_usual;
  return m_interval;
}

void Pace::account(MonotonicTime now, std::optional<std::uint64_t> used) {
  const bool known = used && m_used && *used >= *m_used && now > m_at;
  if (known) {
    const auto spent = static_cast<double>(*used - *m_used);
    m_cost = m_cost == 0 ? spent : m_cost + kNewest * (spent - m_cost);
    m_saved += kShare * static_cast<double>((now - m_at).count()) - spent;
    m_saved = std::clamp(m_saved, -kMostSaved, kMostSaved);
  }
  m_used = used;
  m_at = now;
}

// The shortest interval that its share of a core allows for good, or the savings for a while.
Nanoseconds Pace::affordable() const {
  for (Nanoseconds interval = kFastest; interval < m_usual; interval *= 2) {
    const double share = m_cost / static_cast<double>(interval.count());
    const double lasts = interval < m_interval ? kLasts : 0;  // one that goes on may use up all
    const double needed = std::max(m_cost, (share - kShare) * lasts);
    if (share <= kShare || (share <= kMostAtOnce && m_saved >= needed)) return interval;
  }
  return m_usual;
}

}  // namespace faultline
