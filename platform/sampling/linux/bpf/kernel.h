// BpfKernel: what the running kernel's own type information (BTF) tells of it, for what differs between kernels.
// Absent where there is none.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/records/sweep_records.h"

struct btf;

namespace faultline {

inline constexpr std::array kFaultWays{FaultWay::Function, FaultWay::Event};

class BpfKernel {
 public:
  BpfKernel();
  ~BpfKernel();
  BpfKernel(const BpfKernel&) = delete;
  BpfKernel& operator=(const BpfKernel&) = delete;

  // Empty if there is BTF.
  [[nodiscard]] const std::string& trouble() const { return m_trouble; }
  [[nodiscard]] bool hasTracepoint(const char* name) const;
  // How many arguments a program at that tracepoint is given; 0: there is no such tracepoint.
  [[nodiscard]] unsigned argumentsOf(const char* tracepoint) const;
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

// Has faults timed in one way after the other, the better one first, until one works. `load` returns why its way does
// not, to which the reasons of those before it are added; or nothing where no other way is to be tried.
void tryFaultWays(const BpfKernel& kernel, std::span<const FaultWay> ways,
                  const std::function<Unavailable*(const MaybeFaultTiming&)>& load);

}  // namespace faultline
