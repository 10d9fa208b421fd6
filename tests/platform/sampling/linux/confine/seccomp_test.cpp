// The collector's filter, in a child that then makes allowed and forbidden calls.
#include "platform/sampling/linux/confine/seccomp.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/support/in_child.h"

using namespace faultline;
using test::inChild;

namespace {

struct Deed {
  const char* name;
  void (*run)();
};

bpf_attr noProgram() {
  return {};
}

// The folder in which the filter allows to open files.
int proc() {
  static const int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return folder;
}

constexpr std::array kForbidden{
    Deed{"open a file of another folder", [] { open("/proc/self/stat", O_RDONLY | O_CLOEXEC); }},
    Deed{"open a file to write", [] { openat(proc(), "self/comm", O_WRONLY); }},
    Deed{"open a file to read and write", [] { openat(proc(), "self/comm", O_RDWR); }},
    Deed{"create a file", [] { openat(proc(), "faultline-forbidden", O_RDONLY | O_CREAT, 0600); }},
    Deed{"truncate a file", [] { openat(proc(), "faultline-forbidden", O_RDONLY | O_TRUNC); }},
    Deed{"open by the newest call", [] { syscall(SYS_openat2, AT_FDCWD, "/proc/self/stat", nullptr, 0); }},
    Deed{"write elsewhere than stdout and stderr", [] { static_cast<void>(!write(3, "x", 1)); }},
    Deed{"write at a place", [] { static_cast<void>(!pwrite(STDOUT_FILENO, "", 0, 0)); }},
    Deed{"remove a file", [] { unlink("faultline-forbidden"); }},
    Deed{"rename a file", [] { rename("faultline-forbidden", "faultline-forbidden-too"); }},
    Deed{"open a socket", [] { socket(AF_INET, SOCK_STREAM, 0); }},
    Deed{"start a program", [] { execl("/bin/true", "true", nullptr); }},
    Deed{"fork", [] { fork(); }},
    Deed{"trace a process", [] { ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr); }},
    Deed{"read a process's memory", [] { syscall(SYS_process_vm_readv, getppid(), nullptr, 0, nullptr, 0, 0); }},
    Deed{"kill", [] { kill(getppid(), 0); }},
    Deed{"abort another process", [] { syscall(SYS_tgkill, getppid(), getppid(), 0); }},
    Deed{"load a BPF program",
         [] {
           bpf_attr attributes = noProgram();
           syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes);
         }},
    Deed{"make a BPF map",
         [] {
           bpf_attr attributes = noProgram();
           syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
         }},
    Deed{"open a perf event", [] { syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
    Deed{"set a perf event's BPF program", [] { ioctl(STDIN_FILENO, PERF_EVENT_IOC_SET_BPF, 0); }},
    Deed{"type into the terminal", [] { ioctl(STDIN_FILENO, TIOCSTI, "x"); }},
    Deed{"map executable memory",
         [] { std::ignore = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }},
    Deed{"make memory executable", [] { mprotect(nullptr, 0, PROT_READ | PROT_EXEC); }},
    Deed{"become another user", [] { static_cast<void>(!setuid(0)); }},
    Deed{"change itself", [] { prctl(PR_SET_DUMPABLE, 1); }},
    Deed{"make a copy of a descriptor", [] { static_cast<void>(!dup(STDOUT_FILENO)); }},
    Deed{"make a file in memory", [] { memfd_create("forbidden", 0); }},
};

struct Trial {
  const char* name;
  bool (*run)();
};

constexpr std::array kAllowed{
    Trial{"read a file of /proc, anew",
          [] {
            const int file = openat(proc(), "self/stat", O_RDONLY | O_CLOEXEC);
            char byte = 0;
            return file >= 0 && pread(file, &byte, 1, 0) == 1 && lseek(file, 0, SEEK_SET) == 0 && close(file) == 0;
          }},
    Trial{"write to stdout", [] { return write(STDOUT_FILENO, "", 0) == 0; }},
    Trial{"write to stderr", [] { return std::fputs("", stderr) >= 0; }},
    Trial{"wait",
          [] {
            constexpr timespec kMoment{.tv_sec = 0, .tv_nsec = 1000};
            return ppoll(nullptr, 0, &kMoment, nullptr) == 0;
          }},
    Trial{"read every clock",
          [] {
            timespec time{};
            return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 && clock_gettime(CLOCK_MONOTONIC, &time) == 0;
          }},
    Trial{"grow and shrink its memory",
          [] {
            std::vector<std::vector<char>> blocks;
            for (std::size_t size = 16; size < (std::size_t{64} << 20U); size *= 2) blocks.emplace_back(size, 'x');
            for (auto& block : blocks) block.resize(block.size() + block.size() / 2);
            blocks.erase(blocks.begin(), blocks.begin() + 10);
            return blocks.back().back() == 0;
          }},
    Trial{"ask for an iterator",
          [] {
            bpf_attr attributes = noProgram();
            return syscall(SYS_bpf, BPF_ITER_CREATE, &attributes, sizeof attributes) != 12345;
          }},
    Trial{"ask how often a program was skipped",
          [] {
            bpf_attr attributes = noProgram();
            return syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attributes, sizeof attributes) != 12345;
          }},
    Trial{"switch a perf event on and off",
          [] {
            ioctl(STDIN_FILENO, PERF_EVENT_IOC_ENABLE, 0);
            ioctl(STDIN_FILENO, PERF_EVENT_IOC_DISABLE, 0);
            return true;
          }},
};

void needsFilter() {
  if (!systemCallsCanBeRestricted()) SKIP("this build does not restrict system calls: a sanitizer, or no libseccomp");
  if (inChild([] { return restrictSystemCalls(proc()) ? 0 : 1; }) != 0) SKIP("this kernel has no seccomp filters");
}

}  // namespace

TEST_CASE("System calls that the collector's loop does not need kill the collector") {
  needsFilter();
  for (const Deed& deed : kForbidden) {
    INFO(deed.name);
    CHECK(inChild([&] {
            if (!restrictSystemCalls(proc())) return 2;
            deed.run();
            return 0;
          }) == -SIGSYS);
  }
}

TEST_CASE("System calls of the collector's loop still work") {
  needsFilter();
  for (const Trial& trial : kAllowed) {
    INFO(trial.name);
    CHECK(inChild([&] { return restrictSystemCalls(proc()) && trial.run() ? 0 : 1; }) == 0);
  }
}

TEST_CASE("A sampler that opens no files may not open any") {
  needsFilter();
  CHECK(inChild([] { return restrictSystemCalls(-1) && open("/proc/self/stat", O_RDONLY) >= 0 ? 0 : 1; }) == -SIGSYS);
}

TEST_CASE("A program names the forbidden system call that kills it on standard error") {
  needsFilter();
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  CHECK(inChild([&] {
          dup2(ends[1], STDERR_FILENO);
          if (restrictSystemCalls(proc())) open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
          return 0;
        }) == -SIGSYS);
  close(ends[1]);
  std::array<char, 4096> text{};
  const ssize_t count = read(ends[0], text.data(), text.size());
  close(ends[0]);
  REQUIRE(count > 0);
  const std::string_view told(text.data(), static_cast<std::size_t>(count));
  CHECK(told.find("faultline-collector: It made the system call openat, which its filter forbids.") !=
        std::string_view::npos);
}

TEST_CASE("A broken invariant still ends with SIGABRT") {
  needsFilter();
  CHECK(inChild([] {
          std::signal(SIGABRT, SIG_DFL);  // removes Catch2's handler
          if (restrictSystemCalls(-1)) std::abort();
          return 0;
        }) == -SIGABRT);
}
