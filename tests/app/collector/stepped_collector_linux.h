// SteppedCollector: the collector with file capabilities, as an ordinary user starts it, held at each of its system
// calls, or at those that touch another process or the kernel's programs. Seccomp notifies this program of each
// call (seccomp_unotify(2)), which needs root, but no tracer.
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
#include <fstream>
#include <functional>
#include <iterator>
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
  enum class Held { AtTouchingCalls, AtEveryCall, Never };

  explicit SteppedCollector(const Start& start, Held held = Held::AtTouchingCalls) {
    std::array<int, 2> out{};
    std::array<int, 2> errors{};
    for (auto* const ends : {&out, &errors}) REQUIRE(pipe2(ends->data(), O_CLOEXEC) == 0);
    const int listener = fcntl(out[0], F_DUPFD_CLOEXEC, 0);  // the number of the child's next descriptor
    close(listener);
    m_pid = fork();
    if (m_pid == 0) run(start, held, out[1], errors[1]);
    m_output = UniqueFd(out[0]);
    m_errors = UniqueFd(errors[0]);
    for (const int theirs : {out[1], errors[1]}) close(theirs);
    for (const UniqueFd& ours : {std::cref(m_output), std::cref(m_errors)}) fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    if (held != Held::Never) comeToProgram(listener);
  }
  ~SteppedCollector() {
    kill(m_pid, SIGKILL);
    m_listener = {};
    if (!m_ended) waitpid(m_pid, nullptr, 0);
  }
  SteppedCollector(const SteppedCollector&) = delete;
  SteppedCollector& operator=(const SteppedCollector&) = delete;

  // Continues to the next such call, where the collector is held; absent when it waits in its loop, or has ended.
  std::optional<seccomp_data> step() {
    detach();
    while (!m_ended) {
      if (!m_text.empty()) return std::nullopt;  // after Hello the collector only measures
      if (m_call) return m_call->data;
      listen(std::chrono::milliseconds(1));
    }
    return std::nullopt;
  }
  // Reads the output for `time`, without holding the collector.
  void goOn(std::chrono::milliseconds duration) {
    const auto end = std::chrono::steady_clock::now() + duration;
    while (!m_ended && std::chrono::steady_clock::now() < end) {
      detach();
      listen(std::chrono::milliseconds(1));
    }
    detach();
  }
  // While programs are detached, the kernel waits for each processor once per program (synchronize_rcu), which on a
  // busy machine can take more than a minute in all.
  void goOnToEnd() {
    for (int patience = 0; patience < 2400 && !m_ended; ++patience) goOn(std::chrono::milliseconds(100));
    CAPTURE(m_complaint, m_text.size(), whereabouts());
    REQUIRE(m_ended);
    listen(std::chrono::milliseconds(0));
  }
  // Holds the collector until another program ends it.
  void holdToEnd() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!m_ended && std::chrono::steady_clock::now() < end) listen(std::chrono::milliseconds(100));
    REQUIRE(m_ended);
  }
  [[nodiscard]] const std::vector<std::byte>& output() const { return m_text; }
  [[nodiscard]] const std::string& errors() const { return m_complaint; }
  [[nodiscard]] bool ended() const { return m_ended; }
  [[nodiscard]] int status() const { return m_status; }  // as of waitpid
  [[nodiscard]] pid_t pid() const { return m_pid; }

 private:
  // Commands of bpf(2) that read or attach, but not those that only load. The first two calls come before the exec of
  // the collector.
  static std::vector<sock_filter> filter(Held held) {
    const auto load = [](std::size_t offset) {
      return sock_filter(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<__u32>(offset)));
    };
    const sock_filter ask = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (held == Held::AtEveryCall) return {ask};
    std::vector<sock_filter> program{load(offsetof(seccomp_data, nr))};
    for (const unsigned call : {SYS_close_range, SYS_execve, SYS_perf_event_open, SYS_capset, SYS_pidfd_open,
                                SYS_openat, SYS_ioctl, SYS_seccomp}) {
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

  [[noreturn]] static void run(const Start& start, Held held, int out, int errors) {
    std::vector<char*> argv{const_cast<char*>(start.program.c_str())};
    for (const std::string& argument : start.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (start.files) {
      const rlimit limit{.rlim_cur = *start.files, .rlim_max = *start.files};
      setrlimit(RLIMIT_NOFILE, &limit);
    }
    const auto program = filter(held);
    const sock_fprog rules{.len = static_cast<unsigned short>(program.size()),
                           .filter = const_cast<sock_filter*>(program.data())};
    if (held != Held::Never &&
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &rules) < 0)
      _exit(126);
    dup2(out, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    if (start.user != 0 && (setgid(start.user) != 0 || setuid(start.user) != 0)) _exit(126);
    execv(argv.front(), argv.data());
    _exit(127);
  }

  // Of a collector that does not end.
  [[nodiscard]] std::string whereabouts() const {
    if (m_ended) return {};
    std::string text;
    for (const char* name : {"status", "syscall", "stack"}) {
      std::ifstream file("/proc/" + std::to_string(m_pid) + "/" + name);
      text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
  }
  // Takes the child's listener, while the child is at or before its first call.
  void comeToProgram(int listener) {
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, m_pid, 0)));
    while (!m_listener && !m_ended) {
      m_listener = UniqueFd(static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), listener, 0)));
      if (!m_listener) listen(std::chrono::milliseconds(1));
    }
    while (const auto call = step())
      if (call->nr == SYS_execve) break;
    REQUIRE_FALSE(m_ended);
  }
  void detach() {
    if (!m_call) return;
    seccomp_notif_resp answer{.id = m_call->id, .val = 0, .error = 0, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    ioctl(m_listener.get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
    m_call.reset();
  }
  // Waits until the collector makes a call, writes, or ends.
  void listen(std::chrono::milliseconds patience) {
    if (!m_ended && waitpid(m_pid, &m_status, WNOHANG) == m_pid) m_ended = true;
    std::array<pollfd, 3> told{{{.fd = m_call ? -1 : m_listener.get(), .events = POLLIN, .revents = 0},
                                {.fd = m_output.get(), .events = POLLIN, .revents = 0},
                                {.fd = m_errors.get(), .events = POLLIN, .revents = 0}}};
    poll(told.data(), told.size(), static_cast<int>(patience.count()));
    seccomp_notif call{};
    if ((told[0].revents & POLLIN) != 0 && ioctl(m_listener.get(), SECCOMP_IOCTL_NOTIF_RECV, &call) == 0) m_call = call;
    std::array<std::byte, 65536> buffer{};
    for (ssize_t count = 0; (count = read(m_output.get(), buffer.data(), buffer.size())) > 0;)
      m_text.insert(m_text.end(), buffer.begin(), buffer.begin() + count);
    for (ssize_t count = 0; (count = read(m_errors.get(), buffer.data(), buffer.size())) > 0;)
      m_complaint.append(reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(count));
  }

  pid_t m_pid = -1;
  bool m_ended = false;
  int m_status = 0;  // of its end, as of waitpid
  UniqueFd m_output;
  UniqueFd m_errors;
  UniqueFd m_listener;
  std::optional<seccomp_notif> m_call;  // at which it is held
  std::vector<std::byte> m_text;
  std::string m_complaint;
};

}  // namespace faultline::test
