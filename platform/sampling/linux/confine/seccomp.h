// Allows only the system calls of the collector's loop: any other call kills the program (seccomp(2), by libseccomp).
#pragma once

namespace faultline {

// False in a build without libseccomp, or with a sanitizer, whose runtime makes other calls.
[[nodiscard]] bool systemCallsCanBeRestricted();

// Cannot be undone. `opensFiles`: allows opening files for reading. False if this build or this kernel cannot do this.
bool restrictSystemCalls(bool opensFiles);

}  // namespace faultline
