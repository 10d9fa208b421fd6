// /proc/PID/maps (proc_pid_maps(5)): the mappings of a process in the order of addresses. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

struct ProcMapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool readable = false;
  bool writable = false;
  bool executable = false;
  bool shared = false;
  std::uint64_t offset = 0;  // of `begin` in the file
  std::uint32_t deviceMajor = 0;
  std::uint32_t deviceMinor = 0;
  std::uint64_t inode = 0;  // 0: not a file
  std::string_view name;    // view into the line: a path, "[heap]", "[anon:...]", or empty

  bool operator==(const ProcMapping&) const = default;

  // Whether the mapping contains byte `place` of its file.
  [[nodiscard]] bool holds(std::uint64_t place) const { return place >= offset && place - offset < end - begin; }
};

// `line` has no newline. Absent if any field is invalid.
[[nodiscard]] std::optional<ProcMapping> parseProcMapping(std::string_view line);

// The path that `name` stands for: the kernel writes a newline as \012. The kernel does not escape
// backslashes, so a file whose name contains the four characters \012 cannot be told apart.
[[nodiscard]] std::string mappedPath(std::string_view name);

// Appended by the kernel to the path of a file that was deleted or replaced after it was mapped.
inline constexpr std::string_view kDeletedMark = " (deleted)";

}  // namespace faultline
