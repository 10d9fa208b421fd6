// The system calls of the collector's loop, and no others: anything else kills the program (seccomp(2), by libseccomp).
#pragma once

namespace faultline {

// Whether this build can do it: not without libseccomp, and not where a sanitizer's runtime makes calls of its own.
[[nodiscard]] bool systemCallsCanBeRestricted();

// For good. `opensFiles`: to read them alone. False if this build or this kernel cannot do it.
bool restrictSystemCalls(bool opensFiles);

}  // namespace faultline
