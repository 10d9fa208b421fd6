#include "core/delay/study.h"

#include <algorithm>
#include <vector>

namespace faultline {
namespace {

constexpr std::size_t kMostPairs = 1024;
constexpr double kWidest = 0.25;  // interval; 0.1 or less where nothing disturbs the frames

bool tellsNothing(const PaidShare& share) {
  return share.slope.high - share.slope.low > kWidest;
}

}  // namespace

double PaidShare::share() const {
  return std::clamp(slope.slope, 0.0, 1.0);
}

// The thread's own time in faults, and giving memory back, differs from frame to frame, and is known. The other costs
// of its faults depend on their number; the costs of other threads' faults depend on how long the frame lasts.
void DelayStudy::add(const GameFrame& frame) {
  if (!frame.delay() || frame.delay()->pair == 0) return;
  const FrameDelay delay = *frame.delay();
  ++m_totals.frames;
  m_totals.delayed += delay.delayed ? 1 : 0;
  m_totals.added += delay.added;
  m_totals.own += delay.ownAdded.value_or(Nanoseconds(0));
  m_ownTime = m_ownTime && frame.threadTime();
  if (m_pairs.empty() || m_pairs.back().number != delay.pair)
    m_pairs.push_back({.number = delay.pair, .lasted = {}, .busy = {}, .awaiting = {}});
  if (m_pairs.size() > kMostPairs) m_pairs.pop_front();
  const ThreadTime time = frame.threadTime().value_or(ThreadTime{});
  const Nanoseconds faults =
      frame.threadTime() ? time.faults() : frame.time(FrameMetric::ThreadFaultTime).value_or(Nanoseconds(0));
  const Nanoseconds lasted =
      frame.duration - time.waiting - faults - frame.time(FrameMetric::ThreadTeardownTime).value_or(Nanoseconds(0));
  const Nanoseconds busy = lasted - time.sleeping;
  const Nanoseconds awaited = std::min(delay.ownAwaited.value_or(Nanoseconds(0)), time.sleeping);
  const auto ownFaults = static_cast<double>(frame.ownFaults().value_or(0));
  Pair& pair = m_pairs.back();
  const auto addTo = [&](PairSums& sums, Nanoseconds spent) {
    sums.add({ownFaults, inNs(delay.added), inNs(spent), delay.delayed});
  };
  addTo(pair.lasted, lasted);
  addTo(pair.busy, busy);
  addTo(pair.awaiting, busy + awaited);
}

std::optional<PairSlope> DelayStudy::slope(PairSums Pair::* of) const {
  std::vector<PairSums> sums;
  sums.reserve(m_pairs.size());
  for (const Pair& pair : m_pairs) sums.push_back(pair.*of);
  return slopeOf(sums);
}

std::optional<PaidShare> DelayStudy::estimate(bool paced) const {
  if (!paced || !m_ownTime) {
    const auto whole = slope(&Pair::lasted);
    return whole ? std::optional(PaidShare{.slope = *whole, .atLeast = paced}) : std::nullopt;
  }
  const auto busy = slope(&Pair::busy);
  if (!busy) return std::nullopt;
  const auto awaiting = slope(&Pair::awaiting);
  const PairSlope& found = awaiting && awaiting->low > busy->slope ? *awaiting : *busy;
  return PaidShare{.slope = found, .atLeast = 2 * m_totals.own < m_totals.added && found.high < 1};
}

std::optional<PaidShare> DelayStudy::paid(bool paced) const {
  auto share = estimate(paced);
  if (share && tellsNothing(*share)) share.reset();
  return share;
}

bool DelayStudy::scatters(bool paced) const {
  const auto share = estimate(paced);
  return share && tellsNothing(*share);
}

}  // namespace faultline
