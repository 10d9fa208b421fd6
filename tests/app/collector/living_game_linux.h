// LivingGame: a lifecycle program (support/programs/lifecycle.cpp) and what its life asks of its surroundings: a
// signal, a group of processes with a limit, a copy with rights of its own, an heir of its pid.
#pragma once

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/parse/proc_stat.h"
#include "tests/support/life_log.h"

namespace faultline::test {

class LivingGame {
 public:
  LivingGame(std::string life, bool quiet, std::optional<uid_t> user) : m_life(std::move(life)) {
    m_logFile = memfd_create("life", 0);
    REQUIRE(ftruncate(m_logFile, sizeof(LifeLog)) == 0);
    m_log = static_cast<LifeLog*>(
        mmap(nullptr, sizeof(LifeLog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, m_logFile, 0));
    REQUIRE(m_log != MAP_FAILED);
    REQUIRE(pipe(m_gate.data()) == 0);
    if (m_life == "setuid") copyWithRights();
    m_started = fork();
    if (m_started == 0) {
      if (user && (setgid(*user) != 0 || setuid(*user) != 0)) _exit(126);
      close(m_gate[1]);
      const std::string log = std::to_string(m_logFile);
      const std::string gate = std::to_string(m_gate[0]);
      execl(m_program.c_str(), m_program.c_str(), m_life.c_str(), log.c_str(), gate.c_str(), quiet ? "quiet" : "busy",
            nullptr);
      _exit(127);
    }
    const auto ready = [&] {
      return m_log->pid < 0 || (m_log->pid > 0 && (quiet ? m_log->waiting == 1 : m_log->marks > 3));
    };
    for (int patience = 0; patience < 6000 && !ready(); ++patience) usleep(10'000);
    REQUIRE(ready());
  }
  ~LivingGame() {
    if (m_director.joinable()) m_director.join();
    kill(m_started, SIGKILL);
    if (pid() > 0 && pid() != m_started) kill(pid(), SIGKILL);
    waitpid(m_started, nullptr, 0);
    munmap(m_log, sizeof(LifeLog));
    for (const int file : {m_logFile, m_gate[0], m_gate[1]}) close(file);
    if (!m_copies.empty()) std::filesystem::remove_all(m_copies);
    if (!m_group.empty()) rmdir(m_group.c_str());
  }
  LivingGame(const LivingGame&) = delete;
  LivingGame& operator=(const LivingGame&) = delete;

  [[nodiscard]] const std::string& program() const { return m_program; }
  [[nodiscard]] pid_t pid() const { return m_log->pid; }
  [[nodiscard]] const LifeLog& log() const { return *m_log; }
  // Why this life cannot be lived on this machine; empty: it can.
  [[nodiscard]] std::string obstacle() {
    if (pid() < 0) return "no namespace";
    if (m_life == "pid used again" && geteuid() != 0) return "only root chooses a pid";
    if (m_life == "frozen" && !join("/sys/fs/cgroup/unified", "/sys/fs/cgroup")) return "no cgroup v2";
    if (m_life == "memory limit" && !join("/sys/fs/cgroup/memory", "/sys/fs/cgroup")) return "no memory cgroup";
    return {};
  }

  // The game is watched: its life goes on.
  void openGate() {
    if (std::exchange(m_open, true)) return;
    REQUIRE(write(m_gate[1], "x", 1) == 1);
    if (m_life == "stopped" || m_life == "frozen" || m_life == "memory limit" || m_life == "pid used again")
      m_director = std::thread([this] { direct(); });
  }

  [[nodiscard]] bool hasEnded() const { return m_life == "pid used again" ? m_bequeathed.load() : isDead(); }

  // Minor and major faults of the whole process, which has ended.
  [[nodiscard]] std::optional<std::uint64_t> faults() {
    if (m_life != "pid used again") return faultsAtEnd();
    if (m_director.joinable()) m_director.join();
    return m_faults;
  }

 private:
  [[nodiscard]] bool isDead() const {
    std::string text;
    std::getline(std::ifstream("/proc/" + std::to_string(pid()) + "/stat"), text);
    const auto stat = parseProcStat(text);
    return !stat || (stat->state == 'Z' && stat->threads <= 1);
  }
  // Of a process that is not waited for yet.
  [[nodiscard]] std::optional<std::uint64_t> faultsAtEnd() const {
    std::string text;
    for (int patience = 0; patience < 6000 && !isDead(); ++patience) usleep(10'000);
    std::getline(std::ifstream("/proc/" + std::to_string(pid()) + "/stat"), text);
    const auto stat = parseProcStat(text);
    return stat ? std::optional(stat->minorFaults + stat->majorFaults) : std::nullopt;
  }
  // The pid goes to a process that faults more than the game.
  void bequeathPid() {
    m_faults = faultsAtEnd();
    waitpid(m_started, nullptr, 0);
    const pid_t again = m_started;
    clone_args arguments{};
    arguments.exit_signal = SIGCHLD;
    arguments.set_tid = reinterpret_cast<std::uintptr_t>(&again);
    arguments.set_tid_size = 1;
    if (syscall(SYS_clone3, &arguments, sizeof arguments) == 0) {
      constexpr std::size_t kBytes = std::size_t{16} << 20U;
      void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      for (std::size_t at = 0; at < kBytes; at += 4096) static_cast<volatile char*>(memory)[at] = 1;
      for (;;) pause();
    }
    m_bequeathed = true;
  }
  void awaitPhase() const {
    for (int patience = 0; patience < 6000 && m_log->phase != 1; ++patience) usleep(10'000);
  }
  void direct() {
    if (m_life == "pid used again") return bequeathPid();
    awaitPhase();
    if (m_life == "stopped") {
      usleep(300'000);
      kill(pid(), SIGCONT);
      return;
    }
    if (m_life == "frozen") {
      std::ofstream(m_group + "/cgroup.freeze") << 1;
      m_log->phase = 0;
      usleep(300'000);
      std::ofstream(m_group + "/cgroup.freeze") << 0;
      return;
    }
    m_log->phase = 0;
  }

  // A group of processes for the game alone: of the first of these hierarchies in which one can be made.
  bool join(const std::string& first, const std::string& second) {
    for (const std::string& hierarchy : {first, second}) {
      m_group = hierarchy + "/faultline-life-" + std::to_string(getpid());
      if (mkdir(m_group.c_str(), 0755) != 0 && errno != EEXIST) continue;
      const bool v1 = std::filesystem::exists(m_group + "/memory.limit_in_bytes");
      const bool can = m_life == "frozen" ? std::filesystem::exists(m_group + "/cgroup.freeze")
                                          : v1 || std::filesystem::exists(m_group + "/memory.max");
      if (can && m_life == "memory limit")
        std::ofstream(m_group + (v1 ? "/memory.limit_in_bytes" : "/memory.max")) << (24 << 20);
      std::ofstream members(m_group + "/cgroup.procs");
      if (can && members << pid() << std::flush) return true;
      rmdir(m_group.c_str());
    }
    m_group.clear();
    return false;
  }

  void copyWithRights() {
    m_copies = std::filesystem::temp_directory_path() / ("faultline-life-" + std::to_string(getpid()));
    std::filesystem::create_directories(m_copies);
    chmod(m_copies.c_str(), 0755);
    const std::string copy = m_copies / "lifecycle";
    for (const char* const end : {"", "-setuid"})
      std::filesystem::copy_file(m_program, copy + end, std::filesystem::copy_options::overwrite_existing);
    chmod(copy.c_str(), 0755);
    chmod((copy + "-setuid").c_str(), 04755);
    m_program = copy;
  }

  std::string m_life;
  std::string m_program = FAULTLINE_BIN "/lifecycle";
  std::filesystem::path m_copies;
  std::string m_group;
  int m_logFile = -1;
  LifeLog* m_log = nullptr;
  std::array<int, 2> m_gate{-1, -1};
  pid_t m_started = 0;
  bool m_open = false;
  std::thread m_director;
  std::optional<std::uint64_t> m_faults;  // of a game whose pid was used again
  std::atomic<bool> m_bequeathed = false;
};

}  // namespace faultline::test
