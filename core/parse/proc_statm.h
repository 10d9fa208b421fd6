// /proc/PID/statm (proc_pid_statm(5)), in pages. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct ProcStatm {
  std::uint64_t resident = 0;  // anonymous, file and shared memory pages in RAM
  std::uint64_t shared = 0;    // of these, file and shared memory
  std::uint64_t data = 0;      // writable private mappings and stack, touched or not (VmData + VmStk)

  bool operator==(const ProcStatm&) const = default;
};

// Absent if any field is missing or invalid.
[[nodiscard]] std::optional<ProcStatm> parseProcStatm(std::string_view text);

}  // namespace faultline
