// OwnCpu: the share of one core that this process uses (1 = all of it), user and system time, all threads.
#pragma once

#include <chrono>
#include <optional>

#include "platform/host/programs.h"

namespace faultline {

class OwnCpu {
 public:
  // The mean since the last update. Updated at most once a second; absent in the first second.
  [[nodiscard]] std::optional<double> share();

 private:
  using Steady = std::chrono::steady_clock;

  Nanoseconds m_cpu = ownCpuTime();
  Steady::time_point m_since = Steady::now();
  std::optional<double> m_share;
};

}  // namespace faultline
