// The last words of a program that makes a system call which its filter (seccomp.h) forbids.
#pragma once

namespace faultline {

// Call before the filter is loaded, whose action must be SCMP_ACT_TRAP. The kernel does not make a forbidden call, but
// sends SIGSYS: the program names the call on standard error, and the signal kills it. A second forbidden call kills it
// in any case. With the build option FAULTLINE_TRAP_SYSCALLS it also prints its stack.
void nameForbiddenCalls();

}  // namespace faultline
