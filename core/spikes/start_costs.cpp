#include "core/spikes/start_costs.h"

#include <algorithm>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr std::size_t kFewestStarts = 5;  // starts from which "usually" can be told
constexpr std::size_t kKeptStarts = 16;
constexpr std::size_t kMostPrograms = 256;  // the one whose last start is longest ago is forgotten

}  // namespace

void StartCosts::note(const std::string& program, const ProcessKey& key, const SpikeAmounts& cost) {
  Program& known = m_programs[program];
  known.used = ++m_notes;
  auto start = std::ranges::find(known.starts, key, &Start::key);
  if (start == known.starts.end()) {
    if (known.starts.size() == kKeptStarts) known.starts.pop_front();
    start = known.starts.insert(known.starts.end(), {key, {}});
  }
  start->cost = cost;
  if (m_programs.size() > kMostPrograms)
    m_programs.erase(std::ranges::min_element(m_programs, {}, [](const auto& each) { return each.second.used; }));
}

double StartCosts::usual(const std::string& program, const ProcessKey& key, std::size_t which) const {
  const auto known = m_programs.find(program);
  if (known == m_programs.end()) return 0;
  std::vector<double> costs;
  for (const Start& start : known->second.starts)
    if (start.key != key) costs.push_back(start.cost[which]);
  return costs.size() < kFewestStarts ? 0 : median(std::move(costs)).value_or(0);
}

}  // namespace faultline
