#include "core/trial/run_memory.h"

#include <algorithm>

#include "core/base/median.h"

namespace faultline {

RunMemory runMemory(const ProcessValues& family, const ProcessValues& own) {
  RunMemory memory;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const ProcessMetric metric = kRunFigures[i].metric;
    const auto all = family.get(metric);
    if (all) memory[i] = static_cast<double>(*all - std::min(*all, own.get(metric).value_or(0)));
  }
  return memory;
}

RunMemory memoryMedians(const std::vector<RunMemory>& runs) {
  RunMemory result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::vector<double> known;
    for (const RunMemory& run : runs)
      if (run[i]) known.push_back(*run[i]);
    result[i] = median(std::move(known));
  }
  return result;
}

RunMemoryGains memoryGains(const std::vector<RunMemory>& plain, const std::vector<RunMemory>& tried,
                           double confidence) {
  RunMemoryGains result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::vector<double> shares;
    for (std::size_t round = 0; round < std::min(plain.size(), tried.size()); ++round) {
      const auto& before = plain[round][i];
      const auto& after = tried[round][i];
      if (before && after && *before > 0) shares.push_back(1 - *after / *before);
    }
    result[i] = medianInterval(std::move(shares), confidence);
  }
  return result;
}

}  // namespace faultline
