// OwnCpu: share of one core that this program has used since the last time it was asked. Faultline shows its own cost.
#pragma once

#include <chrono>
#include <optional>

#include "platform/host/programs.h"

namespace faultline {

class OwnCpu {
 public:
  // At most once a second there is a new answer; absent until the first.
  [[nodiscard]] std::optional<double> share();

 private:
  using Steady = std::chrono::steady_clock;

  Nanoseconds m_cpu = ownCpuTime();
  Steady::time_point m_since = Steady::now();
  std::optional<double> m_share;
};

}  // namespace faultline
