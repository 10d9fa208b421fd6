#include "platform/host/own_cpu.h"

namespace faultline {

std::optional<double> OwnCpu::share() {
  const auto now = Steady::now();
  const std::chrono::duration<double> passed = now - m_since;
  if (passed.count() < 1) return m_share;
  const Nanoseconds cpu = ownCpuTime();
  m_share = std::chrono::duration<double>(cpu - m_cpu) / passed;
  m_cpu = cpu;
  m_since = now;
  return m_share;
}

}  // namespace faultline
