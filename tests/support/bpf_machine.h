// The BPF sampler on the machine that runs the tests; skips the test if the programs cannot be loaded.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "platform/sampling/linux/bpf/sampler.h"
#include "tests/support/skip_unavailable.h"

namespace faultline::test {

struct BpfMachine {
  std::unique_ptr<Sampler> sampler;
  Snapshot snapshot;

  explicit BpfMachine(bool faultTime = true) {
    auto made = makeBpfSampler(systemClock(), faultTime);
    if (!made) SKIP(made.error().why);
    sampler = std::move(*made);
  }
  void require(ProcessMetric metric) const { skipIfUnavailable(sampler->hello().quality(metric)); }
  void sweep() { REQUIRE(sampler->sample(snapshot)); }

  [[nodiscard]] const ProcessSample* find(pid_t pid) const { return in(snapshot.processes, pid); }
  [[nodiscard]] const ProcessSample* findExited(pid_t pid) const { return in(snapshot.exited, pid); }

  // Sweeps, and returns the values of a process.
  ProcessValues values(pid_t pid) {
    sweep();
    const ProcessSample* const process = find(pid);
    REQUIRE(process != nullptr);
    return process->values;
  }

 private:
  static const ProcessSample* in(const std::vector<ProcessSample>& processes, pid_t pid) {
    const auto found = std::ranges::find_if(
        processes, [&](const ProcessSample& process) { return process.key.pid == static_cast<std::uint32_t>(pid); });
    return found == processes.end() ? nullptr : &*found;
  }
};

inline std::uint64_t growth(const ProcessValues& before, const ProcessValues& after, ProcessMetric metric) {
  REQUIRE(before.has(metric));
  REQUIRE(after.has(metric));
  return after.get(metric).value_or(0) - before.get(metric).value_or(0);
}

}  // namespace faultline::test
