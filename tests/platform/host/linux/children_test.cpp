// The ends of children, where the system tells little: waits without descriptors, lost statuses, loaders that stand
// still.
#include "platform/host/posix/waits/children.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "platform/host/signals.h"
#include "tests/support/in_child.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

template <class Body>
pid_t forked(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(7);
  }
  return child;
}

constexpr auto kStands = [] {
  for (;;) pause();
};

ChildCommand inShell(const std::string& script) {
  return {.program = "sh", .arguments = {"-c", script}, .quietInput = true};
}

bool exists(pid_t pid) {
  return kill(pid, 0) == 0;
}

struct Awaiting {
  std::filesystem::path folder = test::makeScratchFolder();
  Awaiting() {
    std::filesystem::copy_file(FAULTLINE_BIN "/awaiting", folder / "awaiting");
    mkfifo((folder / "libawaited.so").c_str(), 0600);
  }
  ~Awaiting() { std::filesystem::remove_all(folder); }
  Awaiting(const Awaiting&) = delete;
  Awaiting& operator=(const Awaiting&) = delete;
  [[nodiscard]] ChildCommand held() const {
    return {.program = folder / "awaiting", .arguments = {}, .quietInput = true, .held = true};
  }
};

}  // namespace

TEST_CASE("The end of a child is a handle without a descriptor, and is left to be taken") {
  const pid_t child = forked(kStands);
  const std::array handles{kNoHandle, endOf(child)};
  CHECK(waitAny(handles, 10ms) == 0);
  CHECK_FALSE(takeEnd(child));
  kill(child, SIGKILL);
  CHECK(waitAny(handles, 60s) == 2U);
  CHECK(waitAny(handles, std::nullopt) == 2U);
  CHECK(takeEnd(child) == ExitStatus{.code = 0, .signal = SIGKILL});
}

TEST_CASE("A handle of a child and data of a pipe are waited for at once") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = forked(kStands);
  const std::array handles{endOf(child), WaitHandle{ends[0]}};
  REQUIRE(write(ends[1], "x", 1) == 1);
  CHECK(waitAny(handles, 60s) == 2U);
  CHECK(killAndTakeEnd(child)->signal == SIGKILL);
  CHECK(waitAny(handles, 0s) == 3U);
  for (const int end : ends) close(end);
}

TEST_CASE("The action for SIGCHLD and the mask are as before after a wait for a child") {
  const pid_t child = forked(kStands);
  static_cast<void>(waitAny(std::array{endOf(child)}, 1ms));
  struct sigaction action{};
  sigset_t mask;
  sigaction(SIGCHLD, nullptr, &action);
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  CHECK(action.sa_handler == SIG_DFL);
  CHECK(sigismember(&mask, SIGCHLD) == 0);
  killAndTakeEnd(child);
}

TEST_CASE("An end that the system has not kept is unknown, and no success") {
  const int code = test::inChild([] {
    std::signal(SIGCHLD, SIG_IGN);
    auto child = ChildProcess::start(inShell("exit 0"));
    if (!child) return 100;
    const ExitStatus status = child->wait();
    return status.known ? 101 : status.shellCode();
  });
  CHECK(code == ExitStatus::kUnknownCode);
}

TEST_CASE("A program that has inherited SIGCHLD ignored learns how its children end, and they find it as usual") {
  const int code = test::inChild([] {
    std::signal(SIGCHLD, SIG_IGN);
    settleSignals();
    auto child = ChildProcess::start(inShell("sh -c 'exit 6'; exit $?"));
    return child ? child->wait().shellCode() : 100;
  });
  CHECK(code == 6);
}

TEST_CASE("The limit of a file's size is an error for this program, and a signal for its children") {
  const int code = test::inChild([] {
    settleSignals();
    constexpr rlimit kNothing{.rlim_cur = 0, .rlim_max = 0};
    const std::filesystem::path file = std::filesystem::temp_directory_path() / ("limit-" + std::to_string(getpid()));
    std::ofstream out(file);
    setrlimit(RLIMIT_FSIZE, &kNothing);
    out << "x" << std::flush;
    std::filesystem::remove(file);
    if (out) return 100;
    for (const bool held : {false, true}) {
      ChildCommand command = inShell("kill -XFSZ $$; exit 0");
      command.held = held;
      auto child = ChildProcess::start(command);
      if (!child) return 101;
      child->release();
      if (child->wait().signal != SIGXFSZ) return 102;
    }
    return 0;
  });
  CHECK(code == 0);
}

TEST_CASE("A child whose pipes cannot be made is not started, and the error says why") {
  for (const bool held : {false, true}) {
    const int code = test::inChild([held] {
      const rlimit few{.rlim_cur = 4, .rlim_max = 4};
      for (int file = 3; file < 100; ++file) close(file);
      setrlimit(RLIMIT_NOFILE, &few);
      ChildCommand command = inShell("exit 0");
      command.output = ChildStream::Pipe;
      command.held = held;
      const auto child = ChildProcess::start(command);
      if (child) return 1;
      return child.error().message == "sh could not be started: Too many open files." ? 0 : 2;
    });
    CHECK(code == 0);
  }
}

TEST_CASE("The end of a child is seen though no descriptor is left for it") {
  const int code = test::inChild([] {
    const rlimit few{.rlim_cur = 20, .rlim_max = 20};
    setrlimit(RLIMIT_NOFILE, &few);
    while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) continue;
    ChildCommand command = inShell("exit 5");
    command.quietInput = false;
    auto child = ChildProcess::start(command);
    if (!child || child->ended() >= kNoHandle) return 100;
    const auto status = child->waitFor(60s);
    return status ? status->shellCode() : 101;
  });
  CHECK(code == 5);
}

TEST_CASE("A held child whose loader stands still is let go after a while, or as soon as the interrupt comes") {
  const Awaiting awaiting;
  for (const bool interrupted : {false, true}) {
    ChildCommand command = awaiting.held();
    if (interrupted) command.interrupt = {.requested = [calls = 0]() mutable { return ++calls > 20; }};
    else command.loaderPatience = 200ms;
    pid_t pid = 0;
    {
      auto child = ChildProcess::start(command);
      REQUIRE(child);
      pid = static_cast<pid_t>(child->pid());
      CHECK_FALSE(child->held());
      CHECK_FALSE(child->waitFor(100ms));
      // Neither traced nor stopped: it goes on in its loader, and ends by SIGTERM.
      std::ifstream status("/proc/" + std::to_string(pid) + "/status");
      const std::string text(std::istreambuf_iterator<char>(status), {});
      CHECK(text.find("TracerPid:\t0\n") != std::string::npos);
      CHECK(text.find("State:\tT") == std::string::npos);
      child->terminate();
      CHECK(child->waitFor(60s) == ExitStatus{.code = 0, .signal = SIGTERM});
    }
    CHECK_FALSE(exists(pid));
  }
}

TEST_CASE("A child is not started if the interrupt comes before its program is executed") {
  ChildCommand command = inShell("exit 0");
  command.held = true;
  command.interrupt = {.requested = [] { return true; }};
  const auto child = ChildProcess::start(command);
  REQUIRE_FALSE(child);
  CHECK(child.error().message == "sh could not be started: Interrupted system call.");
}

TEST_CASE("Signals interrupt a wait and stay to be taken") {
  const int code = test::inChild([] {
    for (const int signal : {SIGHUP, SIGTERM, SIGINT}) std::signal(signal, SIG_DFL);  // nohup ignores the first
    auto signals = Signals::listen();
    if (!signals) return 1;
    const Interrupt interrupt = signals->interrupt();
    if (interrupt.now() || waitFor(kNoHandle, 10ms, interrupt) != Waited::TimedOut) return 2;
    raise(SIGWINCH);
    if (waitFor(kNoHandle, 10ms, interrupt) != Waited::TimedOut) return 3;
    for (const int signal : {SIGHUP, SIGTERM, SIGINT}) {
      raise(signal);
      if (waitFor(kNoHandle, std::nullopt, interrupt) != Waited::Interrupted || !interrupt.now()) return 4;
      if (signals->next() != Signal::Terminate || interrupt.now()) return 5;
    }
    return 0;
  });
  CHECK(code == 0);
}
