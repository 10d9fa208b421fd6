// The ends and stops of child processes. Where the system has kept no status for this process, such as with SIGCHLD
// ignored, the status is unknown.
#pragma once

#include <sys/types.h>

#include <optional>

#include "platform/host/child_process.h"
#include "platform/host/wait.h"

namespace faultline {

// A handle for waitAny() that needs no descriptor: ready once the child has ended.
[[nodiscard]] WaitHandle endOf(pid_t child);

// Takes the child's end from the system; absent: the child runs.
[[nodiscard]] std::optional<ExitStatus> takeEnd(pid_t child);
// The same once the child has ended; absent: it runs longer than `most`.
[[nodiscard]] std::optional<ExitStatus> takeEndWithin(pid_t child, Nanoseconds most);
// Kills the child first. Absent: the system does not let it end.
std::optional<ExitStatus> killAndTakeEnd(pid_t child);

struct EndedChild {
  pid_t pid = 0;  // 0: all children run; -1: there is no child
  ExitStatus status;
};
[[nodiscard]] EndedChild takeAnyEnd();

struct ChildStop {
  int signal = 0;                 // that stopped the child
  std::optional<ExitStatus> end;  // the child has ended instead
};
// The next stop of a child that this thread traces; absent: interrupted, or the time is over.
[[nodiscard]] std::optional<ChildStop> nextStop(pid_t child, Nanoseconds most, const Interrupt& interrupt);

}  // namespace faultline
