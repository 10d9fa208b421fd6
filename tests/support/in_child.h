// Runs code with irreversible effects in a forked child process.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::test {

// `body` returns the exit code. Returns that code, or minus the signal that killed the child.
template <class Body>
int inChild(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlimit kNoCore{.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &kNoCore);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace faultline::test
