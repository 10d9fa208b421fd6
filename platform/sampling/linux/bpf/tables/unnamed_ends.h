// UnnamedEnds: sums of ended processes, one for each parent, if there were too many to name (kUnnamedEnded). Pure; its
// memory is bounded.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "platform/sampling/records/sweep_records.h"

namespace faultline {

class UnnamedEnds {
 public:
  // Adds an ended process with all of its counts.
  void add(const ProcessRecord& record);
  // Takes the kernel's current sums. They hold all counts of their processes, including counts already reported.
  void add(std::span<const EndedSum, kEndedSums> sums);
  // Subtracts the reported counts of a process that vanished without a report of its end: it is in the kernel's sums,
  // or will be in those of the next sweep.
  void takeOff(const ProcessRecord& told);

  // The sums since the last call. Each has the key of one of its processes, or that process's time of death as its
  // start. Valid until the next add().
  [[nodiscard]] std::span<const ProcessRecord> settle();
  [[nodiscard]] std::uint64_t count() const { return m_count; }  // of processes, ever

 private:
  ProcessRecord& sumOf(const ProcessRecord& record);
  template <class MayPay>
  void payAll(std::vector<ProcessRecord>& debts, MayPay mayPay);

  std::vector<ProcessRecord> m_sums;
  bool m_settled = false;
  bool m_kernelGrew = false;
  std::array<EndedSum, kEndedSums> m_kernel{};
  std::vector<ProcessRecord> m_told;        // to subtract, a sum per parent, from this sweep
  std::vector<ProcessRecord> m_toldBefore;  // the rest from the previous sweep
  std::uint64_t m_count = 0;
};

}  // namespace faultline
