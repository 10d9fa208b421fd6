// /proc/PID/maps: what a process has mapped, a line each, in the order of addresses (proc_pid_maps(5)). Pure.
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
  std::uint64_t inode = 0;  // 0: no file
  std::string_view name;    // as it stands there, within the line: a path, "[heap]", "[anon:...]", or empty

  bool operator==(const ProcMapping&) const = default;

  // Whether byte `place` of the file that it maps is among it.
  [[nodiscard]] bool holds(std::uint64_t place) const { return place >= offset && place - offset < end - begin; }
};

// `line` is one without its newline. Everything or nothing.
[[nodiscard]] std::optional<ProcMapping> parseProcMapping(std::string_view line);

// The path that `name` stands for: the kernel writes a line break in one as \012. A backslash it leaves alone, so that
// a file may really be called what is written.
[[nodiscard]] std::string mappedPath(std::string_view name);

// What the kernel adds to the path of a file that has been deleted, or replaced, since it was mapped.
inline constexpr std::string_view kDeletedMark = " (deleted)";

}  // namespace faultline
