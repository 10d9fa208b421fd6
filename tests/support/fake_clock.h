// A clock that moves only when a test calls tick().
#pragma once

#include <algorithm>

#include "platform/sampling/clock.h"

namespace faultline::test {

class FakeClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime now() const override { return m_now; }
  [[nodiscard]] WallTime wall() const override { return {m_now.sinceEpoch + std::chrono::hours(500'000)}; }
  [[nodiscard]] Nanoseconds suspended() const override { return m_suspended; }

  void tick(Nanoseconds duration) { m_now = m_now + duration; }
  void tickTo(MonotonicTime time) { m_now = std::max(m_now, time); }
  void suspend(Nanoseconds duration) { m_suspended += duration; }

 private:
  MonotonicTime m_now{std::chrono::hours(1)};
  Nanoseconds m_suspended{0};
};

}  // namespace faultline::test
