// Starts a program that stands still as soon as all its libraries are mapped, before any of their code or its own has
// run. The hold is a ptrace stop: if this process is killed, the kernel lets the program run on.
#pragma once

#include <sys/types.h>

#include "platform/host/child_process.h"

namespace faultline {

// Which of our files become the child's standard streams; -1: unchanged.
struct ChildFiles {
  int input = -1;
  int output = -1;
  int errors = -1;
};

// The file that execvp(3) would run. Without a folder: searched in PATH; the name itself if PATH has no such program.
[[nodiscard]] std::filesystem::path programFile(const std::filesystem::path& program);

struct HeldStart {
  pid_t pid = -1;
  int error = 0;                // why nothing was started
  bool held = false;            // else the program runs
  std::optional<int> status{};  // it has ended, with this status of waitpid()
};

// Only the calling thread may release the program.
[[nodiscard]] HeldStart startHeld(const ChildCommand& command, const ChildFiles& files);
void releaseHeld(pid_t pid);
// The same hold of a child that has called ptrace(PTRACE_TRACEME) and executes a program; waits for that.
void holdAfterLoader(HeldStart& start);

}  // namespace faultline
