#include "platform/host/trial/linux/commit_peak.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <fstream>

#include "core/base/file_text.h"

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("A process that ends before its open file is read leaves no text") {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  REQUIRE(child > 0);
  std::ifstream statm("/proc/" + std::to_string(child) + "/statm");
  REQUIRE(statm.is_open());
  kill(child, SIGKILL);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK_FALSE(restOf(statm));  // the system answers "No such process"
}

TEST_CASE("Commit is sampled while processes end") {
  CommitPeak peak;
  for (int i = 0; i < 200; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    REQUIRE(child > 0);
    peak.sample();
    REQUIRE(waitpid(child, nullptr, 0) == child);
  }
  SUCCEED();
}
