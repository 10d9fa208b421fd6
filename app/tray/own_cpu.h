// OwnCpu: share of one core that this program has used since the last time it was asked. Faultline shows its own cost.
#pragma once

#include <chrono>
#include <ctime>
#include <optional>

namespace faultline {

class OwnCpu {
 public:
  // At most once a second there is a new answer; absent until the first.
  [[nodiscard]] std::optional<double> share();

 private:
  using Steady = std::chrono::steady_clock;

  std::clock_t m_cpu = std::clock();  // processor time of this process, all threads
  Steady::time_point m_since = Steady::now();
  std::optional<double> m_share;
};

}  // namespace faultline
