// SyntheticSampler: a machine that does not exist, one tick per sample, on a clock of its own. Everything it says is
// synthetic/truth.h's.
#pragma once

#include "platform/sampling/sampler.h"
#include "platform/sampling/synthetic/truth.h"

namespace faultline {

class SyntheticSampler final : public Sampler {
 public:
  explicit SyntheticSampler(const SyntheticOptions& options) : m_options(options) {}

  [[nodiscard]] Hello hello() const override { return syntheticHello(m_options); }
  void attend(bool somebodyLooks) override { m_attended = somebodyLooks; }
  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    syntheticSnapshot(m_options, m_tick++, out);
    if (!m_attended) leaveOutWhatCosts(out);
    return {};
  }

 private:
  static void leaveOutWhatCosts(Snapshot& out) {
    for (auto* samples : {&out.processes, &out.exited})
      for (ProcessSample& sample : *samples)
        for (const ProcessMetric metric :
             {ProcessMetric::SampledZeroingTime, ProcessMetric::FaultTime, ProcessMetric::MajorFaultTime,
              ProcessMetric::TimedFaults, ProcessMetric::TimedMajorFaults})
          sample.values.clear(metric);
  }

  SyntheticOptions m_options;
  std::uint64_t m_tick = 0;
  bool m_attended = true;
};

}  // namespace faultline
