// Allows only the system calls of the collector's loop: any other call is not made and kills the program, which names
// it first (seccomp(2), by libseccomp).
#pragma once

namespace faultline {

// False in a build without libseccomp, or with a sanitizer, whose runtime makes other calls.
[[nodiscard]] bool systemCallsCanBeRestricted();

// Cannot be undone. `opensIn`: the descriptor of the only folder relative to which files may be opened, for reading;
// -1: none may. False if this build or this kernel cannot do this.
bool restrictSystemCalls(int opensIn);

}  // namespace faultline
