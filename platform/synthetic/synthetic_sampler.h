// SyntheticSampler: a machine that does not exist, one tick per sample, on a clock of its own. Everything it says is
// synthetic_truth.h's.
#pragma once

#include "platform/sampler.h"
#include "platform/synthetic/synthetic_truth.h"

namespace faultline {

class SyntheticSampler final : public Sampler {
 public:
  explicit SyntheticSampler(const SyntheticOptions& options) : m_options(options) {}

  [[nodiscard]] Hello hello() const override { return syntheticHello(m_options); }
  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    syntheticSnapshot(m_options, m_tick++, out);
    return {};
  }

 private:
  SyntheticOptions m_options;
  std::uint64_t m_tick = 0;
};

}  // namespace faultline
