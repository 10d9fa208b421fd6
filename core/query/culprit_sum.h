// CulpritSum: the culprits of several frames, summed up; and those of one frame, as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/culprits/culprits.h"

namespace faultline {

class CulpritSum {
 public:
  // `by`: "culprit", "mapping", "thread" or "kind"; empty: the first. `most`: names that have sums of their own; what
  // comes after them shares one.
  explicit CulpritSum(std::string_view by, std::size_t most = 16'384)
      : m_by(by.empty() ? "culprit" : by), m_most(most) {}

  void add(const Culprits& culprits);
  // {by, samples, sampled_faults, sampled_fault_ns, share_of, frames, culprits: [{name, thread, faults, fault_ns,
  // share, frames}], others}. Times are null unless that of every sample is known.
  [[nodiscard]] nlohmann::ordered_json json(std::size_t top) const;

 private:
  struct Kept {
    CulpritShare share;
    std::uint64_t frames = 0;
  };

  void count(const CulpritShare& share);

  std::string m_by;
  std::size_t m_most;
  Culprits m_all;  // without lists
  bool m_timed = true;
  std::uint64_t m_frames = 0;
  std::map<std::pair<std::string, std::uint32_t>, Kept> m_shares;
  Kept m_others;
};

// [{thread, calls: [outermost, ...], faults, fault_ns, share}], largest first.
[[nodiscard]] nlohmann::ordered_json stacksJson(const Culprits& culprits, std::size_t top);

}  // namespace faultline
