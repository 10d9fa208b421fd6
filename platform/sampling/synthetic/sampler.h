// SyntheticSampler: samples the synthetic machine of synthetic/truth.h, one interval per sample, on a virtual clock.
#pragma once

#include <optional>

#include "platform/sampling/sampler.h"
#include "platform/sampling/synthetic/truth.h"

namespace faultline {

class SyntheticSampler final : public Sampler {
 public:
  explicit SyntheticSampler(const SyntheticOptions& options) : m_options(options) {}

  [[nodiscard]] Hello hello() const override { return syntheticHello(m_options); }
  void attend(bool active) override { m_active = active; }
  void pace(Nanoseconds interval) override { m_options.interval = interval; }
  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    m_t = m_t ? *m_t + m_options.interval : Nanoseconds(0);
    syntheticMachine(m_options, *m_t, out);
    if (!m_active) clearCostlyMetrics(out);
    return {};
  }

 private:
  static void clearCostlyMetrics(ProcessValues& values) {
    for (const ProcessMetric metric : kFaultTimes) values.clear(metric);
    for (const ProcessMetric metric : {ProcessMetric::SampledZeroingTime, ProcessMetric::LargeZeroingTime,
                                       ProcessMetric::TimedFaults, ProcessMetric::TimedMajorFaults})
      values.clear(metric);
  }
  static void clearCostlyMetrics(Snapshot& out) {
    out.faultDurations.reset();
    for (auto* samples : {&out.processes, &out.exited})
      for (ProcessSample& sample : *samples) clearCostlyMetrics(sample.values);
  }

  SyntheticOptions m_options;
  std::optional<Nanoseconds> m_t;  // of the last sample, since the first
  bool m_active = true;
};

}  // namespace faultline
