// Starts a program that stands still as soon as all its libraries are mapped, before any of their code or its own has
// run. The hold is a ptrace stop: if this process is killed, the kernel lets the program run on.
#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>

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

// The signals whose action a program finds at its default, although this process, or a shell that has started it in the
// background, ignores them. An ignored SIGHUP stays ignored (nohup).
inline constexpr std::array kDefaultInChildren{SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGXFSZ};

struct HeldStart {
  pid_t pid = -1;
  int error = 0;      // why nothing was started
  bool held = false;  // else the program runs
  std::optional<ExitStatus> end{};
};

// Only the calling thread may release the program.
[[nodiscard]] HeldStart startHeld(const ChildCommand& command, const ChildFiles& files);
void releaseHeld(pid_t pid);
// The same hold of a child that has called ptrace(PTRACE_TRACEME) and executes a program; waits for that. A program
// whose loader takes longer than `most`, or until the interrupt, is let go.
void holdAfterLoader(HeldStart& start, Nanoseconds most, const Interrupt& interrupt);

}  // namespace faultline
