// KeptCulprits: the culprits of a bounded number of frames. Drops those that were looked up or added longest ago, never
// those just added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "core/culprits/culprits.h"

namespace faultline {

class KeptCulprits {
 public:
  explicit KeptCulprits(std::size_t most) : m_most(most) {}

  // `place`: of the frame. `samples`: as many as were searched. Replaces earlier culprits of the frame.
  void add(std::uint64_t place, std::size_t samples, std::shared_ptr<const Culprits> culprits);
  // Null: not kept, or not any more.
  [[nodiscard]] std::shared_ptr<const Culprits> find(std::uint64_t place);
  [[nodiscard]] std::size_t samplesOf(std::uint64_t place) const;  // 0: not kept; does not count as a look-up
  [[nodiscard]] std::size_t size() const { return m_kept.size(); }

 private:
  struct Kept {
    std::shared_ptr<const Culprits> culprits;
    std::size_t samples = 0;
    std::uint64_t used = 0;  // number of the latest use
  };

  std::size_t m_most;
  std::uint64_t m_uses = 0;
  std::map<std::uint64_t, Kept> m_kept;
};

}  // namespace faultline
