// Other processes: who they are and whom they have started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace faultline {

[[nodiscard]] std::string nameProcess(std::uint32_t pid);  // for a person: "game (4711)"

// Why nobody may watch the process on our behalf, as a sentence; empty if nothing speaks against it.
[[nodiscard]] std::string whyNotOurs(std::uint32_t pid);

// The children, then theirs, and so on; without those that have let themselves be adopted by others.
[[nodiscard]] std::vector<std::uint32_t> descendantsOf(std::uint32_t pid);

}  // namespace faultline
