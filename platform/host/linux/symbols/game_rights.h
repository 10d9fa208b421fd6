// A reader process of root gives up root's rights before it opens a file that a game chose: debug information names
// further files, which libdw opens by itself, and to open a device may be an act.
#pragma once

#include <cstdint>

namespace faultline {

// Takes the ids of the game's user for good; no effect if this process is not root's, or the game is. Keeps
// CAP_SYS_PTRACE alone, and only if /proc hides the game's files from its own user. Throws if the system refuses.
void takeRightsOf(std::uint32_t pid);

}  // namespace faultline
