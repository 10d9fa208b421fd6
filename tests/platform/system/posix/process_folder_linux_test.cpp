#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <vector>

#include "core/parse/proc_status.h"
#include "platform/host/child_process.h"
#include "platform/system/posix/process_folder.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;

TEST_CASE("The status of a process in thousands of groups is read whole") {
  if (geteuid() != 0) SKIP("only root may join groups");
  const pid_t child = fork();
  if (child == 0) {
    std::vector<gid_t> groups(20'000);
    std::iota(groups.begin(), groups.end(), 1'000'000);
    _exit(setgroups(groups.size(), groups.data()) == 0 && pause() == 0 ? 0 : 1);
  }
  const ProcessFolder folder(static_cast<std::uint32_t>(child));
  std::optional<ProcStatus> status;
  do status = parseProcStatus(folder.readOfProcess("status"));
  while (status && status->otherGroups.size() < 20'000 && waitpid(child, nullptr, WNOHANG) == 0);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  REQUIRE(status);
  CHECK(status->otherGroups.size() == 20'000);
  CHECK(status->otherGroups.back() == 1'019'999);
  CHECK(status->innerPid != 0);
}

// A launcher may execute the game at the moment at which the list is opened.
TEST_CASE("The list of a process's memory is never empty, though the process executes a program all the time") {
  const auto folder = test::makeScratchFolder();
  const auto launcher = folder / "launcher";
  std::ofstream(launcher) << "#!/bin/sh\nexec \"$0\"\n";
  std::filesystem::permissions(launcher, std::filesystem::perms::owner_all);
  const auto child = ChildProcess::start({.program = launcher, .arguments = {}});
  REQUIRE(child);
  const ProcessFolder process(child->pid());
  for (int look = 0; look < 5000; ++look) {
    const auto maps = process.readMaps();
    REQUIRE(maps);
    REQUIRE_FALSE(maps->empty());
  }
  std::filesystem::remove_all(folder);
}
