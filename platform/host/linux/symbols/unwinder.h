// Unwinder: the addresses of the calls that led to a fault, from the registers and the piece of stack that its sample
// carries: by the tables that compilers leave for exceptions, and by frame pointers where there are none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/fault_sample.h"
#include "platform/host/linux/symbols/code_modules.h"

namespace faultline {

struct CallAddresses {
  std::vector<std::uint64_t> addresses;  // within the call, innermost first
  bool whole = false;                    // up to where the thread began
};

class Unwinder {
 public:
  Unwinder() = default;
  Unwinder(const Unwinder&) = delete;  // the session of the modules knows where this lies
  Unwinder& operator=(const Unwinder&) = delete;

  // Empty where the registers are none that are known.
  [[nodiscard]] CallAddresses unwind(const CodeModules& modules, const FaultSample& sample);
  void forget() { m_attached = false; }  // the modules have another session

 private:
  struct Callbacks;

  bool m_attached = false;
  const CodeModules* m_modules = nullptr;  // during unwind(), as what follows
  const FaultSample* m_sample = nullptr;
  CallAddresses m_found;
};

// The address of the instruction that faulted; absent where the registers are none that are known.
[[nodiscard]] std::optional<std::uint64_t> faultingCode(const FaultSample& sample);

}  // namespace faultline
