// UnnamedEnds: processes that ended and are told in sums, one for each parent, because there were too many to name
// (kUnnamedEnded). Pure; its memory has a bound.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "platform/sampling/records/sweep_records.h"

namespace faultline {

class UnnamedEnds {
 public:
  // One process whose end tells all of its counts.
  void add(const ProcessRecord& record);
  // The kernel's own sums, as they are now. They hold all counts of their processes, be they told before or not.
  void add(std::span<const EndedSum, kEndedSums> sums);
  // Counts that have been told before of a process that is neither there any more nor has told its end: it is in the
  // kernel's sums, or will be in those of the next sweep.
  void takeOff(const ProcessRecord& told);

  // Of what came since the last call; each has the key of one of its processes, or its time of death for a start.
  // Valid until the next call of add().
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
  std::vector<ProcessRecord> m_told;        // to take off, a sum per parent, of this sweep
  std::vector<ProcessRecord> m_toldBefore;  // and what was left of the one before
  std::uint64_t m_count = 0;
};

}  // namespace faultline
