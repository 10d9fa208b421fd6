#include "app/tray/processes/ended_processes.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr double kMinorNs = 500;
constexpr double kMajorNs = 100'000;
constexpr double kLeastCost = 1e6;

}  // namespace

double costOf(std::optional<double> faultTime, std::optional<double> minor, std::optional<double> major) {
  return std::max(faultTime.value_or(0), minor.value_or(0) * kMinorNs + major.value_or(0) * kMajorNs);
}

void EndedProcesses::add(const ProcessKey& key, MonotonicTime ended, double cost) {
  if (cost < kLeastCost || has(key)) return;
  if (m_kept.size() < kMost) {
    m_kept.push_back({key, ended, cost});
    return;
  }
  const auto cheapest = std::ranges::min_element(m_kept, {}, &Ended::cost);
  if (cheapest->cost < cost) *cheapest = {key, ended, cost};
}

void EndedProcesses::forget(MonotonicTime now) {
  std::erase_if(m_kept, [now](const Ended& e) { return now < e.time || now - e.time > kKept; });
}

bool EndedProcesses::has(const ProcessKey& key) const {
  return std::ranges::find(m_kept, key, &Ended::key) != m_kept.end();
}

void EndedProcesses::appendKeys(std::vector<ProcessKey>& out) const {
  for (const Ended& ended : m_kept) out.push_back(ended.key);
}

}  // namespace faultline
