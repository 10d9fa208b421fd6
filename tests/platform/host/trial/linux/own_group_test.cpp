// Control groups, in a folder that stands for their hierarchy.
#include "platform/host/trial/linux/own_group.h"

#include <sys/xattr.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"

using namespace faultline;
namespace fs = std::filesystem;

namespace {

struct Scratch {
  Scratch() = default;
  ~Scratch() { fs::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path path = test::makeScratchFolder();
};

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

fs::path groupOf(const fs::path& parent, const std::string& maker) {
  return parent / ("faultline-" + maker);
}

// A group that may have groups, with one that stands for the run's.
fs::path groupIn(const fs::path& parent) {
  put(parent / "cgroup.subtree_control", "cpu memory pids\n");
  put(parent / "cgroup.procs", "");
  const fs::path group = groupOf(parent, std::to_string(getpid()));
  put(group / "cgroup.procs", "");
  return group;
}

std::string why(const fs::path& mount, const std::string& own, bool managed = false) {
  const auto group = OwnGroup::create(mount, own, managed);
  return group ? "" : group.error().message;
}

}  // namespace

TEST_CASE("A group of the run's own is entered, and counts all but the faults of the process that asks") {
  const Scratch folder;
  const fs::path group = groupIn(folder.path / "user");
  put(group / "memory.stat", "pgfault 50000000\npgmajfault 5\n");
  put(group / "memory.peak", "123456\n");
  put(folder.path / "user/shell/cgroup.subtree_control", "\n");
  const auto own = OwnGroup::create(folder.path, "1:name=systemd:/\n0::/user/shell\n", false);
  REQUIRE(own);
  CHECK(own->enter());
  const auto counts = own->count();
  REQUIRE(counts);
  CHECK(counts->faults < 50'000'000 - 128);
  CHECK(counts->faults > 40'000'000);
  CHECK(counts->majorFaults == 5);
  CHECK(counts->peakBytes == 123456);
  std::string written;
  std::ifstream(group / "cgroup.procs") >> written;
  CHECK(written == "00");
  put(group / "memory.stat", "pgfault 1\npgmajfault 0\n");
  CHECK_FALSE(own->count());
}

TEST_CASE("Where no group can be made the reason is told, and no folder stays") {
  const Scratch folder;
  const fs::path mount = folder.path;
  CHECK(why(mount, "1:name=systemd:/\n") == "this system has no control groups of version 2");
  CHECK(why(mount, "0::/\n") == "this user may make no control group that counts memory");
  put(mount / "user/cgroup.subtree_control", "cpu\n");
  put(mount / "user/cgroup.procs", "");
  CHECK(why(mount, "0::/user\n") == "this user may make no control group that counts memory");
  put(mount / "user/memory.max", "max\n");
  put(mount / "user/cgroup.subtree_control", "cpu memory\n");
  CHECK(why(mount, "0::/user\n") == "the control group of the run cannot be entered");
  CHECK_FALSE(fs::exists(groupOf(mount / "user", std::to_string(getpid()))));
  put(mount / "user/limited/memory.max", "1048576\n");
  CHECK(why(mount, "0::/user/limited\n") == "the control group of this process has limits that another would not have");
}

TEST_CASE("Groups whose makers were killed are removed") {
  const Scratch folder;
  static_cast<void>(groupIn(folder.path));
  for (const char* const maker : {"999999999", "1", "x"}) fs::create_directory(groupOf(folder.path, maker));
  CHECK(OwnGroup::create(folder.path, "0::/\n", false));
  CHECK_FALSE(fs::exists(groupOf(folder.path, "999999999")));
  CHECK(fs::exists(groupOf(folder.path, "1")));
  CHECK(fs::exists(groupOf(folder.path, "x")));
}

TEST_CASE("Where systemd makes the groups, a run has one of its own only in a tree that was handed over") {
  if (geteuid() != 0) SKIP("the groups of another user than root are its own");
  const Scratch folder;
  groupIn(folder.path / "system.slice");
  const std::string own = "0::/system.slice/ssh.service\n";
  fs::create_directories(folder.path / "system.slice/ssh.service");
  CHECK(why(folder.path, own).empty());
  groupIn(folder.path / "system.slice");
  CHECK(why(folder.path, own, true) == "systemd makes the control groups here");
  if (setxattr((folder.path / "system.slice").c_str(), "user.delegate", "1", 1, 0) != 0)
    SKIP("the folder for temporary files has no extended attributes of users");
  CHECK(why(folder.path, own, true).empty());
}
