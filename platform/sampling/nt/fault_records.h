// The records of single page faults that Windows keeps for one process: PSAPI_WS_WATCH_INFORMATION_EX of a 64-bit
// program, as GetWsChangesEx() writes them (Microsoft's documentation of psapi.h). Pure. No time is in them, and the
// order alone tells which fault was earlier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace faultline {

struct NtFault {
  std::uint64_t code = 0;     // the instruction that faulted, in the program or in the kernel
  std::uint64_t address = 0;  // of the page that came to the process's memory, or in it
  std::uint32_t thread = 0;   // its id

  bool operator==(const NtFault&) const = default;
};

inline constexpr std::size_t kNtFaultBytes = 32;

// Appends the records up to the first without code, which ends the list. A cut record ends it, too.
void readNtFaults(std::span<const std::byte> bytes, std::vector<NtFault>& faults);

}  // namespace faultline
