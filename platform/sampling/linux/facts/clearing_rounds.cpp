#include "platform/sampling/linux/facts/clearing_rounds.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr std::size_t kFirst = 3;  // rounds without a pause between them
constexpr std::size_t kKept = 6;
constexpr Nanoseconds kBetween = std::chrono::minutes(1);
constexpr Nanoseconds kBusyAgain = std::chrono::seconds(2);  // asking whether others are busy takes some microseconds
constexpr std::int64_t kAllowedPart = 120'000;               // of the time: half a millisecond a minute
constexpr double kMostOthers = 0.75;                         // per processor
constexpr double kMostOthersLater = 0.25;                    // they may be measuring themselves
constexpr double kLeastNsPerKib = 5;                         // 200 GB/s
constexpr double kMostNsPerKib = 1000;

}  // namespace

bool ClearingRounds::due(MonotonicTime now) {
  if (m_grown) m_allowance = std::min(m_allowance + (now - *m_grown) / kAllowedPart, kAtStart);
  m_grown = now;
  return now >= m_next && m_allowance > Nanoseconds(0);
}

bool ClearingRounds::begin(MonotonicTime now, double others) {
  if (!due(now)) return false;
  if (others <= (m_rounds.empty() ? kMostOthers : kMostOthersLater)) return true;
  m_next = now + kBusyAgain;
  return false;
}

void ClearingRounds::add(MonotonicTime now, const std::optional<ClearingRound>& round, Nanoseconds took) {
  m_allowance -= took;
  if (!round) {
    m_next = now + m_retry;
    m_retry = std::min(2 * m_retry, kBetween);
    return;
  }
  m_retry = kRetry;
  if (m_rounds.size() == kKept) m_rounds.erase(m_rounds.begin());
  m_rounds.push_back(*round);
  if (m_rounds.size() >= kFirst) m_next = now + kBetween;
}

std::optional<ClearingRounds::Cost> ClearingRounds::cost() const {
  if (m_rounds.empty()) return std::nullopt;
  std::vector<ClearingRound> sorted = m_rounds;
  std::ranges::sort(sorted, {}, &ClearingRound::cold);
  const ClearingRound& low = sorted[sorted.size() / 4];
  if (low.cold < kLeastNsPerKib || low.cold > kMostNsPerKib) return std::nullopt;
  return Cost{.low = low, .spread = sorted[sorted.size() / 2].cold / low.cold - 1};
}

}  // namespace faultline
