// BpfKernel: what the running kernel's own type information (BTF) tells of it, for what differs between kernels.
// Absent where there is none.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/records/sweep_records.h"

struct btf;

namespace faultline {

class BpfKernel {
 public:
  BpfKernel();
  ~BpfKernel();
  BpfKernel(const BpfKernel&) = delete;
  BpfKernel& operator=(const BpfKernel&) = delete;

  // Empty if there is BTF.
  [[nodiscard]] const std::string& trouble() const { return m_trouble; }
  [[nodiscard]] bool hasTracepoint(const char* name) const;
  [[nodiscard]] bool hasFunction(const char* name) const;
  // How faults that end that way can be timed here; or why they cannot.
  [[nodiscard]] MaybeFaultTiming faultTiming(FaultWay way) const;
  [[nodiscard]] GfpFlags gfpFlags() const;
  // It may leave out the clearing of a page that it knows to be zero already.
  [[nodiscard]] bool sparesClearing() const { return enumerator("PG_zeroed").has_value(); }

 private:
  [[nodiscard]] int attachTo(const char* function) const;  // 0, or errno
  [[nodiscard]] std::optional<unsigned> enumerator(const char* name) const;

  ::btf* m_btf;
  std::string m_trouble;
};

}  // namespace faultline
