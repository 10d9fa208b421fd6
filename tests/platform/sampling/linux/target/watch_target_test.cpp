// WatchTarget on processes that become another program.
#include "platform/sampling/linux/target/watch_target.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {

TEST_CASE("A process is held or refused at any moment of its exec, and the kernel goes on") {
  int held = 0;
  for (int delay = 0; delay < 400; ++delay) {
    const pid_t pid = fork();
    if (pid == 0) {
      close(STDOUT_FILENO);
      usleep(static_cast<useconds_t>(delay) * 5);
      execl(FAULTLINE_BIN "/fake_game", "fake_game", "frames=100000", nullptr);
      _exit(1);
    }
    const auto target = WatchTarget::open(static_cast<std::uint32_t>(pid));
    if (target && target->isStillHeld()) ++held;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  CHECK(held > 0);
}

TEST_CASE("A process that has executed another program, even with the same rights, is held no more") {
  int pipes[2]{};
  REQUIRE(pipe(pipes) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    char byte = 0;
    close(STDOUT_FILENO);
    if (read(pipes[0], &byte, 1) == 1) execl(FAULTLINE_BIN "/fake_game", "fake_game", "frames=100000", nullptr);
    _exit(1);
  }
  const auto target = WatchTarget::open(static_cast<std::uint32_t>(pid));
  REQUIRE(target);
  CHECK(target->isStillHeld());
  REQUIRE(write(pipes[1], "", 1) == 1);
  for (int patience = 0; patience < 3000 && target->state() == GameState::Running; ++patience) usleep(10'000);
  CHECK(target->state() == GameState::ProgramLeft);
  CHECK_FALSE(target->isStillHeld());
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  close(pipes[0]);
  close(pipes[1]);
}

}  // namespace faultline::test
