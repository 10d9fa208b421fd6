#include "core/marks/polled_time.h"

#include <algorithm>
#include <iterator>

namespace faultline {
namespace {

constexpr std::size_t kKept = 1024;  // readings: about ten seconds

}  // namespace

void PolledTime::add(const ThreadReading& reading) {
  m_readings.push_back(reading);
  if (m_readings.size() > kKept) m_readings.pop_front();
  for (std::size_t i = m_readings.size() - 1; i > 0; --i) {
    ThreadReading& before = m_readings[i - 1];
    const ThreadReading& after = m_readings[i];
    Nanoseconds beyond = (after.ran - before.ran) + (after.waited - before.waited) - (after.time - before.time);
    if (beyond <= Nanoseconds(0)) return;
    const Nanoseconds wait = std::clamp(after.waited - before.waited, Nanoseconds(0), beyond);
    before.waited += wait;
    before.ran += std::clamp(after.ran - before.ran, Nanoseconds(0), beyond - wait);
  }
}

ThreadReading PolledTime::at(MonotonicTime time) const {
  const auto after = std::ranges::lower_bound(m_readings, time, {}, &ThreadReading::time);
  if (after->time == time || after == m_readings.begin()) return *after;
  const auto before = std::prev(after);
  const double share =
      static_cast<double>((time - before->time).count()) / static_cast<double>((after->time - before->time).count());
  const auto between = [&](Nanoseconds a, Nanoseconds b) {
    return a + Nanoseconds(static_cast<std::int64_t>(share * static_cast<double>((b - a).count())));
  };
  return {.time = time, .ran = between(before->ran, after->ran), .waited = between(before->waited, after->waited)};
}

std::optional<ThreadTime> PolledTime::of(MonotonicTime start, Nanoseconds duration) const {
  if (m_readings.empty() || m_readings.front().time > start || m_readings.back().time - start < duration)
    return std::nullopt;
  const ThreadReading from = at(start);
  const ThreadReading to = at(start + duration);
  ThreadTime spent;
  spent.waiting = std::clamp(to.waited - from.waited, Nanoseconds(0), duration);
  const Nanoseconds ran = std::clamp(to.ran - from.ran, Nanoseconds(0), duration - spent.waiting);
  spent.sleeping = duration - spent.waiting - ran;
  return spent;
}

}  // namespace faultline
