#include "app/tray/own_cpu.h"

namespace faultline {

std::optional<double> OwnCpu::share() {
  const auto now = Steady::now();
  const std::chrono::duration<double> passed = now - m_since;
  if (passed.count() < 1) return m_share;
  const std::clock_t cpu = std::clock();
  m_share = static_cast<double>(cpu - m_cpu) / CLOCKS_PER_SEC / passed.count();
  m_cpu = cpu;
  m_since = now;
  return m_share;
}

}  // namespace faultline
