// StartCosts: what starts of a program usually cost. A program that touches much memory at each start is no news.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "core/spikes/spike.h"

namespace faultline {

using SpikeAmounts = PerSpikeMetric<double>;

class StartCosts {
 public:
  // Sets what this start has cost so far.
  void note(const std::string& program, const ProcessKey& key, const SpikeAmounts& cost);
  // The median of the program's last starts, this one left out; 0 if only few are known.
  [[nodiscard]] double usual(const std::string& program, const ProcessKey& key, std::size_t which) const;

 private:
  struct Start {
    ProcessKey key;
    SpikeAmounts cost{};
  };
  struct Program {
    std::deque<Start> starts;  // oldest first
    std::uint64_t used = 0;
  };

  std::map<std::string, Program> m_programs;
  std::uint64_t m_notes = 0;
};

}  // namespace faultline
