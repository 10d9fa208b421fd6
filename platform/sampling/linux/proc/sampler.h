// ProcSampler: samples all processes that this user can see in /proc; needs no privilege. Counters are those of the
// kernel, times CLOCK_MONOTONIC. Keeps three descriptors per process (two for a kernel thread).
#pragma once

#include <memory>
#include <string>

#include "platform/sampling/clock.h"
#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/facts/quality.h"
#include "platform/sampling/linux/proc/sweeper.h"
#include "platform/sampling/linux/proc/system_values.h"
#include "platform/sampling/sampler.h"

namespace faultline {

class ProcSampler final : public Sampler {
 public:
  // `visibility`: a sentence about processes that `files` does not show; empty if it shows all. `beyond`: why the
  // metrics that /proc does not provide are unavailable.
  ProcSampler(std::unique_ptr<ProcFiles> files, const Clock& clock, ProcessReaderOptions options,
              std::string visibility = {}, Unavailable beyond = ProcView().beyond);

  [[nodiscard]] Hello hello() const override { return m_hello; }
  [[nodiscard]] SamplerNeeds needs() override { return {.opensIn = m_files->root(), .privileges = false}; }
  [[nodiscard]] Result<void> sample(Snapshot& out) override;

 private:
  std::unique_ptr<ProcFiles> m_files;
  const Clock& m_clock;
  ProcSweeper m_sweeper;
  SystemValuesReader m_system;
  Hello m_hello;
};

// A ProcSampler of the real /proc. Raises the limit of open files of this process.
[[nodiscard]] Result<std::unique_ptr<Sampler>> makeProcSampler(const Clock& clock, const std::string& root = "/proc",
                                                               Unavailable beyond = ProcView().beyond);

}  // namespace faultline
