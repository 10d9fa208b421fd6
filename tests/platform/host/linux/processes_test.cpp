#include "platform/host/processes.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <fstream>
#include <sstream>

#include "core/parse/proc_cgroup.h"
#include "core/parse/proc_stat.h"
#include "core/text/quantity.h"

using namespace faultline;

namespace {

std::uint64_t startOfThis() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  const auto stat = parseProcStat(text);
  REQUIRE(stat);
  return stat->startTicks * (1'000'000'000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK)));
}

}  // namespace

TEST_CASE("descendantsOf() finds children and their children") {
  int told[2];
  REQUIRE(pipe(told) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild != 0 && write(told[1], &grandchild, sizeof grandchild) != sizeof grandchild) _exit(1);
    pause();
    _exit(0);
  }
  pid_t grandchild = 0;
  REQUIRE(read(told[0], &grandchild, sizeof grandchild) == sizeof grandchild);
  const auto found = descendantsOf(static_cast<std::uint32_t>(child));
  CHECK(found == std::vector<std::uint32_t>{static_cast<std::uint32_t>(grandchild)});
  CHECK(nameProcess(static_cast<std::uint32_t>(child)) == "test_platform (" + std::to_string(child) + ")");
  CHECK(nameProcess(4'000'000) == "4000000");
  kill(grandchild, SIGKILL);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(descendantsOf(4'000'000).empty());
  close(told[0]);
  close(told[1]);
}

TEST_CASE("A process that is named like a field of /proc is told with its own user") {
  const auto self = static_cast<std::uint32_t>(getpid());
  std::array<char, 16> own{};
  REQUIRE(prctl(PR_GET_NAME, own.data()) == 0);
  REQUIRE(prctl(PR_SET_NAME, "Uid: 12345") == 0);
  const auto who = identifyProcess(self, startOfThis());
  prctl(PR_SET_NAME, own.data());
  REQUIRE(who);
  CHECK(who->user == getuid());
}

TEST_CASE(
    "identifyProcess() and serviceOfProcess() tell command line, user and service, but not of a later process with the "
    "same pid") {
  const auto self = static_cast<std::uint32_t>(getpid());
  const std::uint64_t start = startOfThis();
  std::stringstream groups;
  groups << std::ifstream("/proc/self/cgroup").rdbuf();
  for (const std::uint64_t told : {start, start + 1}) {
    const auto who = identifyProcess(self, told);
    REQUIRE(who);
    CHECK(who->command.find("test_platform") != std::string::npos);
    CHECK(who->user == getuid());
    CHECK(serviceOfProcess({self, told}) == serviceOf(controlGroupOf(groups.str())));
  }
  CHECK_FALSE(identifyProcess(self, start - 50'000'000));  // the pid was another's then
  CHECK_FALSE(identifyProcess(4'194'305, start));
  CHECK_FALSE(serviceOfProcess({self, start - 50'000'000}));
  CHECK_FALSE(serviceOfProcess({4'194'305, start}));
  CHECK(userName(0) == "root");
  CHECK(userName(4'000'000'000U) == "4000000000");
}

TEST_CASE("commandOf() has the words that started a process, and the absolute path of a relative program") {
  const auto self = commandOf(ownProcess());
  REQUIRE_FALSE(self.empty());
  int told[2];
  REQUIRE(pipe(told) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(told[1], STDOUT_FILENO);
    if (chdir("/bin") != 0) _exit(1);
    execl("./sh", "./sh", "-c", "echo; kill -STOP $$", "two words", "", nullptr);
    _exit(1);
  }
  char ready = 0;
  REQUIRE(read(told[0], &ready, 1) == 1);
  const auto words = commandOf(static_cast<std::uint32_t>(child));
  REQUIRE(words.size() == 5);
  CHECK(words[0].front() == '/');
  CHECK(words[3] == "two words");
  CHECK(words[4].empty());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(commandOf(4'000'000).empty());
}
