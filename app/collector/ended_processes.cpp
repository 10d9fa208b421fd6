#include "app/collector/ended_processes.h"

#include <algorithm>
#include <functional>
#include <map>

#include "core/model/unnamed_ended.h"

namespace faultline {
namespace {

constexpr std::size_t kMostNamed = 8192;
constexpr std::size_t kMostParents = 256;

std::uint64_t minorFaults(const ProcessSample& process) {
  return process.values.get(ProcessMetric::MinorFaults).value_or(0);
}

void addCounters(ProcessValues& sum, const ProcessValues& values) {
  for (std::size_t i = 0; i < kProcessMetricCount; ++i) {
    const auto metric = static_cast<ProcessMetric>(i);
    if (field(metric).kind == MetricKind::Counter && values.has(metric))
      sum.set(metric, sum.get(metric).value_or(0) + *values.get(metric));
  }
}

// A sum for each parent.
class Sums {
 public:
  void add(const ProcessSample& process) {
    auto parent = process.values.get(ProcessMetric::ParentPid);
    if (m_sums.size() >= kMostParents && !m_sums.contains(parent)) parent = std::nullopt;
    const auto [place, isNew] = m_sums.try_emplace(parent);
    ProcessSample& sum = place->second;
    if (isNew) {
      sum.key = process.key;
      sum.name = kUnnamedEnded;
      sum.values.set(ProcessMetric::ParentPid, parent);
    }
    addCounters(sum.values, process.values);
  }
  void moveTo(std::vector<ProcessSample>& out) {
    for (auto& [parent, sum] : m_sums) out.push_back(std::move(sum));
  }

 private:
  std::map<std::optional<std::uint64_t>, ProcessSample> m_sums;
};

}  // namespace

void EndedProcesses::completeExits(Snapshot& snapshot) {
  auto& exited = snapshot.exited;
  if (!m_waiting.empty()) {
    exited.insert(exited.end(), m_waiting.begin(), m_waiting.end());
    m_waiting.clear();
  }
  if (exited.size() > kMostNamed + m_seen.size()) keepFewerNames(exited);
  std::ranges::sort(exited, {}, &ProcessSample::key);
  if (const auto unnamed = snapshot.system.get(SystemMetric::LostExits))
    snapshot.system.set(SystemMetric::LostExits, *unnamed + m_unnamed);
}

// Keeps the processes with the most faults, and those that the reader has seen.
void EndedProcesses::keepFewerNames(std::vector<ProcessSample>& exited) {
  Sums sums;
  const auto others = std::ranges::partition(exited, [this](const ProcessSample& process) {
                        return std::ranges::binary_search(m_seen, process.key);
                      }).begin();
  const auto named =
      std::partition(others, exited.end(), [](const ProcessSample& process) { return process.name == kUnnamedEnded; });
  std::for_each(others, named, [&](const ProcessSample& process) { sums.add(process); });
  auto rest = exited.end();
  if (exited.end() - named > static_cast<std::ptrdiff_t>(kMostNamed)) {
    rest = named + kMostNamed;
    std::ranges::nth_element(named, rest, exited.end(), std::greater{}, minorFaults);
    std::for_each(rest, exited.end(), [&](const ProcessSample& process) { sums.add(process); });
    m_unnamed += static_cast<std::uint64_t>(exited.end() - rest);
  }
  exited.erase(rest, exited.end());
  exited.erase(others, named);
  sums.moveTo(exited);
}

void EndedProcesses::sent(const Snapshot& snapshot) {
  m_seen.clear();
  for (const ProcessSample& process : snapshot.processes) m_seen.push_back(process.key);
}

}  // namespace faultline
