// BpfKernel: differences between kernels, from the type information (BTF) of the running kernel.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/records/sweep_records.h"

struct btf;

namespace faultline {

inline constexpr std::array kFaultWays{FaultWay::Function, FaultWay::Event};

inline constexpr const char* kNoOwnMemory = "The kernel's type information has no PG_swapbacked";

class BpfKernel {
 public:
  BpfKernel();
  ~BpfKernel();
  BpfKernel(const BpfKernel&) = delete;
  BpfKernel& operator=(const BpfKernel&) = delete;

  // Why BTF cannot be read; empty if it can.
  [[nodiscard]] const std::string& trouble() const { return m_trouble; }
  [[nodiscard]] bool hasTracepoint(const char* name) const;
  // Number of arguments of a program at this tracepoint; 0: there is no such tracepoint.
  [[nodiscard]] unsigned argumentsOf(const char* tracepoint) const;
  [[nodiscard]] bool hasFunction(const char* name) const;
  // Why no program can be attached to this function of the kernel; empty if one can.
  [[nodiscard]] Unavailable whyNotAt(const char* function) const;
  // How to time faults that end in this way; or why that is not possible.
  [[nodiscard]] MaybeFaultTiming faultTiming(FaultWay way) const;
  [[nodiscard]] GfpFlags gfpFlags() const;
  // The bit of a page's flags that says: anonymous or shared memory. Absent: kNoOwnMemory.
  [[nodiscard]] std::optional<unsigned> ownMemoryFlag() const { return enumerator("PG_swapbacked"); }
  // The kernel may skip the clearing of a page that it knows to be zero.
  [[nodiscard]] bool sparesClearing() const { return enumerator("PG_zeroed").has_value(); }

 private:
  [[nodiscard]] int attachTo(const char* function) const;  // 0, or errno
  [[nodiscard]] std::optional<unsigned> enumerator(const char* name) const;

  ::btf* m_btf;
  std::string m_trouble;
};

// Calls `load` for one way after the other, the best way first, until one works. `load` returns the obstacle of its
// way, to which the reasons of the earlier ways are added; null ends the search.
void tryFaultWays(const BpfKernel& kernel, std::span<const FaultWay> ways,
                  const std::function<Unavailable*(const MaybeFaultTiming&)>& load);

}  // namespace faultline
