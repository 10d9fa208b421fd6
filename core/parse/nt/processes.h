// SYSTEM_PROCESS_INFORMATION of 64-bit Windows: a record per process, followed by its threads. Pure; never reads
// outside the bytes, whatever they claim. Times are in units of 100 ns; points in time count from 1601 UTC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace faultline {

struct NtThread {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint64_t createTime = 0;
  std::uint64_t kernelTime = 0;
  std::int32_t basePriority = 0;
  std::uint32_t contextSwitches = 0;  // wraps

  bool operator==(const NtThread&) const = default;
};

struct NtProcess {
  std::uint32_t pid = 0;
  std::uint32_t parentPid = 0;
  std::uint64_t createTime = 0;
  std::uint64_t userTime = 0;
  std::uint64_t kernelTime = 0;
  std::uint64_t cycles = 0;      // CycleTime, of all its threads
  std::uint32_t faults = 0;      // hard faults included; wraps
  std::uint32_t hardFaults = 0;  // wraps
  std::uint64_t workingSetBytes = 0;
  std::uint64_t privateWorkingSetBytes = 0;
  std::uint64_t pagefileBytes = 0;  // PagefileUsage
  std::uint64_t privateBytes = 0;   // PrivatePageCount; in bytes despite its name
  std::span<const std::byte> name;  // UTF-16, a view into the list; empty if the pointer leads elsewhere
  std::span<const std::byte> threadRecords;

  [[nodiscard]] std::size_t threads() const;
  [[nodiscard]] NtThread thread(std::size_t index) const;
};

// The records not taken yet. `address` is the address of `bytes` in the kernel's view: names are stored as pointers.
struct NtProcessList {
  std::span<const std::byte> bytes;
  std::uint64_t address = 0;
  std::size_t next = 0;
  bool ended = false;  // the last record has been taken
};

// Absent at the end of the list, or if the list is invalid: cut off, overlapping records, ids beyond 32 bits.
[[nodiscard]] std::optional<NtProcess> takeNtProcess(NtProcessList& list);

}  // namespace faultline
