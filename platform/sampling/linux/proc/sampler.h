// ProcSampler: every process this user can see, without any privilege, from /proc. Counters are those of the kernel,
// times are CLOCK_MONOTONIC. Keeps three descriptors per process (two for a kernel thread).
#pragma once

#include <memory>
#include <string>

#include "platform/sampling/clock.h"
#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/facts/quality.h"
#include "platform/sampling/linux/proc/process_table.h"
#include "platform/sampling/linux/proc/system_values.h"
#include "platform/sampling/sampler.h"

namespace faultline {

class ProcSampler final : public Sampler {
 public:
  // `visibility` is a sentence about processes that cannot be seen through `files`; empty if all can. `beyond`: why
  // nothing is known that /proc does not tell.
  ProcSampler(std::unique_ptr<ProcFiles> files, const Clock& clock, ProcessTableOptions options,
              std::string visibility = {}, Quality beyond = ProcView().beyond);

  [[nodiscard]] Hello hello() const override { return m_hello; }
  [[nodiscard]] SamplerNeeds needs() override { return {.opensFiles = true, .privileges = false}; }
  [[nodiscard]] Result<void> sample(Snapshot& out) override;

 private:
  std::unique_ptr<ProcFiles> m_files;
  const Clock& m_clock;
  ProcessTable m_table;
  SystemValuesReader m_system;
  Hello m_hello;
};

// The real thing; raises this process's limit of open files.
[[nodiscard]] Result<std::unique_ptr<Sampler>> makeProcSampler(const Clock& clock, const std::string& root = "/proc",
                                                               Quality beyond = ProcView().beyond);

}  // namespace faultline
