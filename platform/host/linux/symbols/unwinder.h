// Unwinder: the addresses of the calls that led to a fault, from the registers and stack in its sample: by the
// compiler's tables for exceptions, or by frame pointers if there are no tables.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/fault_sample.h"
#include "platform/host/linux/symbols/code_modules.h"

namespace faultline {

struct CallAddresses {
  std::vector<std::uint64_t> addresses;  // within the call, innermost first
  bool whole = false;                    // up to the start of the thread
};

class Unwinder {
 public:
  Unwinder() = default;
  Unwinder(const Unwinder&) = delete;  // the session of the modules has the address of this object
  Unwinder& operator=(const Unwinder&) = delete;

  // Empty if the registers are of an unknown machine.
  [[nodiscard]] CallAddresses unwind(const CodeModules& modules, const FaultSample& sample);
  void forget() { m_attached = false; }  // the modules have another session

 private:
  struct Callbacks;

  bool m_attached = false;
  const CodeModules* m_modules = nullptr;  // this and the following are valid during unwind()
  const FaultSample* m_sample = nullptr;
  CallAddresses m_found;
};

// Address of the instruction that faulted; absent if the registers are of an unknown machine.
[[nodiscard]] std::optional<std::uint64_t> faultingCode(const FaultSample& sample);

}  // namespace faultline
