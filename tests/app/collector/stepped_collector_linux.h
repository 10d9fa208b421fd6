// The collector with file capabilities, as an ordinary user starts it, held at each of those system calls that touch
// another process or the kernel's programs. Seccomp asks us at each of them: it takes root, and no tracer.
#pragma once

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/system/posix/unique_fd.h"

namespace faultline::test {

class SteppedCollector {
 public:
  struct Start {
    std::string program;
    uid_t user = 0;
    std::vector<std::string> arguments;
    std::optional<rlim_t> files{};  // at once
  };
  enum class Held { AtCalls, Never };

  explicit SteppedCollector(const Start& start, Held held = Held::AtCalls) {
    std::array<int, 2> out{};
    std::array<int, 2> errors{};
    std::array<int, 2> ready{};
    std::array<int, 2> go{};
    for (auto* const ends : {&out, &errors, &ready, &go}) REQUIRE(pipe2(ends->data(), O_CLOEXEC) == 0);
    m_pid = fork();
    if (m_pid == 0) run(start, held, out[1], errors[1], ready[1], go[0]);
    m_output = UniqueFd(out[0]);
    m_errors = UniqueFd(errors[0]);
    for (const int theirs : {out[1], errors[1], ready[1], go[0]}) close(theirs);
    const UniqueFd readyEnd(ready[0]);
    const UniqueFd goEnd(go[1]);
    int listener = -1;
    REQUIRE(read(readyEnd.get(), &listener, sizeof listener) == sizeof listener);
    if (listener >= 0) {
      const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, m_pid, 0)));
      m_listener = UniqueFd(static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), listener, 0)));
      REQUIRE(m_listener);
    }
    REQUIRE(write(goEnd.get(), "", 1) == 1);
    fcntl(m_output.get(), F_SETFL, O_NONBLOCK);
    fcntl(m_errors.get(), F_SETFL, O_NONBLOCK);
  }
  ~SteppedCollector() {
    kill(m_pid, SIGKILL);
    m_listener = {};
    if (!m_ended) waitpid(m_pid, nullptr, 0);
  }
  SteppedCollector(const SteppedCollector&) = delete;
  SteppedCollector& operator=(const SteppedCollector&) = delete;

  // Lets it come to its next such call, where it stays; nothing once it waits in its loop, or has ended.
  std::optional<seccomp_data> step() {
    letGo();
    while (!m_ended) {
      if (!m_text.empty()) return std::nullopt;  // it has said Hello: from here on it only measures
      if (takeCall()) return m_call->data;
      pump(std::chrono::milliseconds(1));
    }
    return std::nullopt;
  }
  // Reads what it says, and holds it no more, for so long.
  void goOn(std::chrono::milliseconds duration) {
    const auto end = std::chrono::steady_clock::now() + duration;
    while (!m_ended && std::chrono::steady_clock::now() < end) {
      letGo();
      takeCall();
      pump(std::chrono::milliseconds(1));
    }
    letGo();
  }
  void goOnToEnd() {
    for (int patience = 0; patience < 600 && !m_ended; ++patience) goOn(std::chrono::milliseconds(100));
    REQUIRE(m_ended);
    pump(std::chrono::milliseconds(0));
  }
  [[nodiscard]] const std::vector<std::byte>& output() const { return m_text; }
  [[nodiscard]] const std::string& errors() const { return m_complaint; }
  [[nodiscard]] bool ended() const { return m_ended; }
  [[nodiscard]] pid_t pid() const { return m_pid; }

 private:
  // What is asked about: of bpf(2) what reads or attaches, not what only loads.
  static std::vector<sock_filter> filter() {
    const auto load = [](std::size_t offset) {
      return sock_filter(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<__u32>(offset)));
    };
    const sock_filter ask = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    std::vector<sock_filter> program{load(offsetof(seccomp_data, nr))};
    for (const unsigned call : {SYS_perf_event_open, SYS_capset, SYS_pidfd_open, SYS_openat, SYS_ioctl, SYS_seccomp}) {
      program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
      program.push_back(ask);
    }
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 1, 0));
    program.push_back(allow);
    program.push_back(load(offsetof(seccomp_data, args)));
    for (const unsigned command : {BPF_MAP_UPDATE_ELEM, BPF_LINK_CREATE, BPF_RAW_TRACEPOINT_OPEN, BPF_ITER_CREATE}) {
      program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, command, 0, 1));
      program.push_back(ask);
    }
    program.push_back(allow);
    return program;
  }

  [[noreturn]] static void run(const Start& start, Held held, int out, int errors, int ready, int go) {
    std::vector<char*> argv{const_cast<char*>(start.program.c_str())};
    for (const std::string& argument : start.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (start.files) {
      const rlimit limit{.rlim_cur = *start.files, .rlim_max = *start.files};
      setrlimit(RLIMIT_NOFILE, &limit);
    }
    const auto program = filter();
    const sock_fprog rules{.len = static_cast<unsigned short>(program.size()),
                           .filter = const_cast<sock_filter*>(program.data())};
    const int listener =
        held == Held::AtCalls
            ? static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &rules))
            : -1;
    char byte = 0;
    if (write(ready, &listener, sizeof listener) != sizeof listener || read(go, &byte, 1) != 1) _exit(126);
    dup2(out, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    if (start.user != 0 && (setgid(start.user) != 0 || setuid(start.user) != 0)) _exit(126);
    execv(argv.front(), argv.data());
    _exit(127);
  }

  bool takeCall() {
    if (!m_listener || m_call) return m_call.has_value();
    pollfd asked{.fd = m_listener.get(), .events = POLLIN, .revents = 0};
    if (poll(&asked, 1, 1) <= 0 || (asked.revents & POLLIN) == 0) return false;
    seccomp_notif call{};
    if (ioctl(m_listener.get(), SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return false;
    m_call = call;
    return true;
  }
  void letGo() {
    if (!m_call) return;
    seccomp_notif_resp answer{.id = m_call->id, .val = 0, .error = 0, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    ioctl(m_listener.get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
    m_call.reset();
  }
  void pump(std::chrono::milliseconds patience) {
    if (!m_ended && waitpid(m_pid, nullptr, WNOHANG) == m_pid) m_ended = true;
    std::array<pollfd, 2> said{{{.fd = m_output.get(), .events = POLLIN, .revents = 0},
                                {.fd = m_errors.get(), .events = POLLIN, .revents = 0}}};
    poll(said.data(), said.size(), static_cast<int>(patience.count()));
    std::array<std::byte, 65536> buffer{};
    for (ssize_t count = 0; (count = read(m_output.get(), buffer.data(), buffer.size())) > 0;)
      m_text.insert(m_text.end(), buffer.begin(), buffer.begin() + count);
    for (ssize_t count = 0; (count = read(m_errors.get(), buffer.data(), buffer.size())) > 0;)
      m_complaint.append(reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(count));
  }

  pid_t m_pid = -1;
  bool m_ended = false;
  UniqueFd m_output;
  UniqueFd m_errors;
  UniqueFd m_listener;
  std::optional<seccomp_notif> m_call;  // at which it is held
  std::vector<std::byte> m_text;
  std::string m_complaint;
};

}  // namespace faultline::test
