#include "core/frames/judge.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr std::size_t kMinValues = 8;
constexpr double kFarLonger = 2;  // times the usual duration, and by at least a tenth of the budget
constexpr double kManyMore = 4;   // times the usual cost of faults, and by at least kNotable of the budget
constexpr double kNotable =
    0.02;  // share of the budget: a loop that waits for the display occasionally exceeds it by less
constexpr double kManyFaults = 64;  // difference in faults if only their number is known
constexpr double kMostOfExcess = 0.5;

double number(Nanoseconds duration) {
  return static_cast<double>(duration.count());
}

std::optional<Nanoseconds> costOf(const GameFrame& frame, const FrameRules& rules) {
  if (frame.faultTime || !rules.nsPerFault) return frame.faultTime;
  const double cost = static_cast<double>(frame.minorFaults) * *rules.nsPerFault;
  return Nanoseconds(static_cast<std::int64_t>(std::min(cost, number(frame.duration))));
}

}  // namespace

void FrameJudge::Recent::add(double value) {
  m_values.at(m_count++ % kKept) = value;
}

std::optional<double> FrameJudge::Recent::usual() const {
  if (m_count < kMinValues) return std::nullopt;
  auto values = m_values;
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(m_count, kKept));
  const auto middle = values.begin() + (end - values.begin()) / 2;
  std::nth_element(values.begin(), middle, end);
  return *middle;
}

bool FrameJudge::Recent::standsOut(double value, double times, double by) const {
  const auto base = usual();
  return base && value > times * *base && value - *base > by;
}

FrameVerdict FrameJudge::judge(const GameFrame& frame) {
  FrameVerdict verdict;
  verdict.faultTime = costOf(frame, m_rules);
  verdict.estimated = verdict.faultTime && !frame.faultTime;
  const auto faults = static_cast<double>(frame.faults());
  if (verdict.faultTime) {
    const double cost = number(*verdict.faultTime);
    const double budget = number(m_rules.budget);
    verdict.costly = cost > m_rules.faultShare * budget || m_faultTimes.standsOut(cost, kManyMore, kNotable * budget);
  } else {
    verdict.costly = m_faults.standsOut(faults, kManyMore, kManyFaults);
  }
  judgeTime(frame, verdict);
  m_durations.add(number(frame.duration));
  m_faults.add(faults);
  if (verdict.faultTime) m_faultTimes.add(number(*verdict.faultTime));
  return verdict;
}

void FrameJudge::judgeTime(const GameFrame& frame, FrameVerdict& verdict) const {
  const auto usual = m_durations.usual();
  const double lasted = number(frame.duration);
  const double budget = number(m_rules.budget);
  const bool standsOut = m_durations.standsOut(lasted, kFarLonger, budget / 10);
  const bool over = lasted > (1 + kNotable) * budget;
  verdict.late = m_rules.timesAreMeasured && (over || standsOut);
  if (!verdict.late) return;
  const double excess = lasted - (over ? budget : *usual);
  verdict.excess = Nanoseconds(static_cast<std::int64_t>(excess));
  if (verdict.faultTime) {
    const double beyondUsual = number(*verdict.faultTime) - m_faultTimes.usual().value_or(0);
    verdict.explained = std::clamp(beyondUsual / excess, 0.0, 1.0);
  }
  verdict.lateByFaults = verdict.explained ? *verdict.explained >= kMostOfExcess : verdict.costly;
}

}  // namespace faultline
