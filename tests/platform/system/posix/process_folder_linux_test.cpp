#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "platform/host/child_process.h"
#include "platform/system/posix/process_folder.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;

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
