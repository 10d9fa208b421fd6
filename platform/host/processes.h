// Other processes: who they are and whom they have started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline {

[[nodiscard]] std::string nameProcess(std::uint32_t pid);  // for a person: "game (4711)"

// Why nobody may watch the process on our behalf, as a sentence; empty if nothing speaks against it.
[[nodiscard]] std::string whyNotOurs(std::uint32_t pid);

// What tells twenty "cc1plus" apart.
struct ProcessIdentity {
  std::string command;  // with its arguments, printable, at most some kilobytes; empty: a kernel thread
  std::uint32_t user = 0;
};
// Absent where the system does not tell, and where the pid belongs to another by now: `startTime` is ProcessKey's.
[[nodiscard]] std::optional<ProcessIdentity> identifyProcess(std::uint32_t pid, std::uint64_t startTime);
[[nodiscard]] std::string userName(std::uint32_t user);  // its number if it has none

// The children, then theirs, and so on; without those that have let themselves be adopted by others.
[[nodiscard]] std::vector<std::uint32_t> descendantsOf(std::uint32_t pid);

}  // namespace faultline
