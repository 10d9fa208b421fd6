// SYSTEM_PROCESS_INFORMATION of 64-bit Windows: every process with its threads, one record after the other. Pure:
// whatever the bytes say, nothing outside them is read. Times are in 100 ns, points in time since 1601 UTC.
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
  std::uint32_t faults = 0;      // all of them; wraps
  std::uint32_t hardFaults = 0;  // of those; wraps
  std::uint64_t workingSetBytes = 0;
  std::uint64_t privateWorkingSetBytes = 0;
  std::uint64_t pagefileBytes = 0;  // PagefileUsage
  std::uint64_t privateBytes = 0;   // PrivatePageCount, in bytes whatever it is called
  std::span<const std::byte> name;  // UTF-16, within the list; empty where it would lie elsewhere
  std::span<const std::byte> threadRecords;

  [[nodiscard]] std::size_t threads() const;
  [[nodiscard]] NtThread thread(std::size_t index) const;
};

// The records still to come. `address` is where the kernel believed `bytes` to begin: names are pointers.
struct NtProcessList {
  std::span<const std::byte> bytes;
  std::uint64_t address = 0;
  std::size_t next = 0;
  bool ended = false;  // by a record that says it is the last
};

// Nothing once the list has ended, or where it makes no sense: cut off, records within each other, ids that are none.
[[nodiscard]] std::optional<NtProcess> takeNtProcess(NtProcessList& list);

}  // namespace faultline
