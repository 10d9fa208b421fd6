#include "platform/host/child_process.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "tests/support/in_child.h"
#include "tests/support/read_all.h"

using namespace faultline;
using test::readAll;
using namespace std::chrono_literals;

namespace {

ChildCommand shell(const std::string& script) {
  return {.program = "sh", .arguments = {"-c", script}, .output = ChildStream::Pipe, .errors = ChildStream::Pipe};
}

ChildProcess started(const ChildCommand& command) {
  auto child = ChildProcess::start(command);
  REQUIRE(child);
  return std::move(*child);
}

std::size_t openFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

}  // namespace

TEST_CASE("A child's two streams and its exit code arrive") {
  ChildProcess child = started(shell("echo out; echo err >&2; exit 7"));
  CHECK(readAll(child, &ChildProcess::readOutput) == "out\n");
  CHECK(readAll(child, &ChildProcess::readErrors) == "err\n");
  const ExitStatus status = child.wait();
  CHECK(status == ExitStatus{.code = 7, .signal = 0});
  CHECK(child.wait() == status);
}

TEST_CASE("A child gets its arguments unchanged") {
  ChildProcess child =
      started({.program = "printf", .arguments = {"[%s]", "a b", "", "q\"'\n$x"}, .output = ChildStream::Pipe});
  CHECK(readAll(child, &ChildProcess::readOutput) == "[a b][][q\"'\n$x]");
}

TEST_CASE("The error for a missing program is a sentence") {
  const auto child = ChildProcess::start({.program = "/nowhere/at-all", .arguments = {}});
  REQUIRE_FALSE(child);
  CHECK(child.error().message == "/nowhere/at-all could not be started: No such file or directory.");
}

TEST_CASE("The exit status of a killed child has the signal") {
  ChildProcess child = started(shell("kill -9 $$"));
  CHECK(child.wait() == ExitStatus{.code = 0, .signal = 9});
  CHECK(child.wait().shellCode() == 137);
}

TEST_CASE("A child inherits no other file of its parent") {
  const auto filesOfChild = [] {
    ChildProcess child = started(shell("ls /proc/self/fd | wc -l"));
    return std::stoi(readAll(child, &ChildProcess::readOutput));
  };
  const int before = filesOfChild();
  ChildProcess other = started(shell("exec sleep 30"));  // its pipes must not leak into the next one
  CHECK(filesOfChild() == before);
}

TEST_CASE("Children leave no file open and no zombie behind") {
  const std::size_t before = openFiles();
  for (int i = 0; i < 20; ++i) CHECK(started(shell("exit 1")).wait().code == 1);
  {
    ChildProcess running = started(shell("exec sleep 30"));
  }
  CHECK(openFiles() == before);
  ChildProcess child = started(shell("ps -o stat= --ppid $PPID | grep -c Z"));
  CHECK(readAll(child, &ChildProcess::readOutput) == "0\n");
}

TEST_CASE("waitFor() returns after the timeout or at the end of the child") {
  ChildProcess child = started(shell("exec sleep 30"));
  CHECK_FALSE(child.waitFor(10ms));
  child.terminate();
  const auto status = child.waitFor(60s);
  REQUIRE(status);
  CHECK(status->signal == 15);
}

TEST_CASE("Only a child that waits for SIGUSR1 is asked by it") {
  ChildProcess deaf = started(shell("exec sleep 30"));
  deaf.ask();
  ChildProcess waiting = started(shell("exec env --block-signal=USR1 sh -c 'echo ready; exec sleep 30'"));
  std::array<std::byte, 16> buffer{};
  REQUIRE(waiting.readOutput(buffer) == 6);
  waiting.ask();
  ChildProcess look = started(shell("grep ShdPnd /proc/" + std::to_string(waiting.pid()) + "/status"));
  CHECK(readAll(look, &ChildProcess::readOutput) == "ShdPnd:\t0000000000000200\n");
  deaf.terminate();
  CHECK(deaf.wait().signal == 15);
}

TEST_CASE("The destructor kills a child that ignores SIGTERM") {
  std::uint32_t pid = 0;
  {
    ChildProcess stubborn = started(shell("trap '' TERM; echo ready; while :; do sleep 0.05; done"));
    pid = stubborn.pid();
    std::array<std::byte, 16> buffer{};
    REQUIRE(stubborn.readOutput(buffer) == 6);
  }
  CHECK_FALSE(std::filesystem::exists("/proc/" + std::to_string(pid)));
}

TEST_CASE("A held child stands still before its own code, and its streams, arguments and exit code are its own") {
  ChildCommand command = shell("echo out; echo err >&2; exit 7");
  command.held = true;
  ChildProcess child = started(command);
  if (!child.held()) SKIP("this process may not trace its children");
  CHECK(child.waitFor(100ms) == std::nullopt);
  std::ifstream file("/proc/" + std::to_string(child.pid()) + "/maps");
  const std::string maps(std::istreambuf_iterator<char>(file), {});
  if (maps.find("/ld-") != std::string::npos) CHECK(maps.find("libc.so") != std::string::npos);  // the loader is done
  child.release();
  CHECK(readAll(child, &ChildProcess::readOutput) == "out\n");
  CHECK(readAll(child, &ChildProcess::readErrors) == "err\n");
  CHECK(child.wait() == ExitStatus{.code = 7, .signal = 0});
}

TEST_CASE("A held child that nobody releases ends with its parent's object, and one killed meanwhile has ended") {
  ChildCommand command = shell("sleep 60");
  command.held = true;
  {
    const ChildProcess child = started(command);
  }
  ChildProcess killed = started(command);
  kill(static_cast<pid_t>(killed.pid()), SIGKILL);
  CHECK(killed.wait().signal == SIGKILL);
  command.program = "/nowhere/at-all";
  CHECK(ChildProcess::start(command).error().message ==
        "/nowhere/at-all could not be started: No such file or directory.");
}

TEST_CASE("A held child runs on if its holder is killed") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t holder = fork();
  if (holder == 0) {
    ChildCommand command = shell("true");
    command.held = true;
    auto child = ChildProcess::start(command);
    const std::uint32_t pid = child ? child->pid() : 0;
    static_cast<void>(!write(ends[1], &pid, sizeof pid));
    pause();
  }
  std::uint32_t pid = 0;
  REQUIRE(read(ends[0], &pid, sizeof pid) == sizeof pid);
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  for (const int end : ends) close(end);
  const auto stands = [&] {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string stat;
    std::getline(file, stat);  // an ended process has none
    return stat.find(") t ") != std::string::npos;
  };
  for (int i = 0; i < 500 && stands(); ++i) std::this_thread::sleep_for(10ms);
  CHECK_FALSE(stands());
}

namespace {

// Starts a held child, and is killed as soon as the child exists: on a busy processor before the child has run. True if
// the child then stands still, traced by this process, which inherits it.
bool leavesTraced() {
  const pid_t holder = fork();
  if (holder == 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    ChildCommand command = shell("true");
    command.held = true;
    const auto child = ChildProcess::start(command);  // stands still until the holder is killed
    pause();
  }
  const std::string children = "/proc/" + std::to_string(holder) + "/task/" + std::to_string(holder) + "/children";
  for (pid_t child = 0; child == 0;) std::ifstream(children) >> child;
  kill(holder, SIGKILL);
  bool traced = false;
  pid_t ended = 0;
  for (int status = 0; (ended = waitpid(-1, &status, __WALL)) > 0;) {
    if (!WIFSTOPPED(status)) continue;
    traced = true;
    kill(ended, SIGKILL);
  }
  return traced;
}

}  // namespace

TEST_CASE("A child whose holder is killed before the child has run is not held by another process") {
  const int left = test::inChild([] {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    int count = 0;
    for (int i = 0; i < 50; ++i) count += leavesTraced() ? 1 : 0;
    return count;
  });
  CHECK(left == 0);
}

TEST_CASE("A child survives the destructor after detach()") {
  std::uint32_t pid = 0;
  {
    ChildProcess child = started(shell("exec sleep 60"));
    pid = child.pid();
    child.detach();
  }
  CHECK(kill(static_cast<pid_t>(pid), SIGKILL) == 0);
}

TEST_CASE("waitAny() reports which handles are ready") {
  ChildProcess silent = started(shell("exec sleep 30"));
  ChildProcess talking = started(shell("echo x; exec sleep 30"));
  const std::array handles{silent.outputReady(), kNoHandle, talking.outputReady()};
  CHECK(waitAny(handles, 60s) == 0b100U);
  const std::array quiet{silent.outputReady()};
  CHECK(waitAny(quiet, 10ms) == 0);
  CHECK(waitAny(quiet, 0s) == 0);
}
