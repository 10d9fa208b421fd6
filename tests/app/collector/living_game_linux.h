// LivingGame: a lifecycle program (support/programs/lifecycle.cpp), and an heir of its pid.
#pragma once

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/parse/proc_stat.h"
#include "tests/app/collector/life_stage_linux.h"
#include "tests/support/life_log.h"

namespace faultline::test {

class LivingGame {
 public:
  LivingGame(std::string life, bool quiet, std::optional<uid_t> user)
      : m_life(std::move(life)), m_program(m_life), m_stage(m_life) {
    m_logFile = memfd_create("life", 0);
    REQUIRE(ftruncate(m_logFile, sizeof(LifeLog)) == 0);
    m_log = static_cast<LifeLog*>(
        mmap(nullptr, sizeof(LifeLog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, m_logFile, 0));
    REQUIRE(m_log != MAP_FAILED);
    REQUIRE(pipe(m_gate.data()) == 0);
    m_started = fork();
    if (m_started == 0) {
      if (user && (setgid(*user) != 0 || setuid(*user) != 0)) _exit(126);
      close(m_gate[1]);
      const std::string log = std::to_string(m_logFile);
      const std::string gate = std::to_string(m_gate[0]);
      execl(program().c_str(), program().c_str(), m_life.c_str(), log.c_str(), gate.c_str(), quiet ? "quiet" : "busy",
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
  }
  LivingGame(const LivingGame&) = delete;
  LivingGame& operator=(const LivingGame&) = delete;

  [[nodiscard]] const std::string& program() const { return m_program.path(); }
  [[nodiscard]] pid_t pid() const { return m_log->pid; }
  [[nodiscard]] const LifeLog& log() const { return *m_log; }
  // Why this life cannot be lived on this machine; empty: it can.
  [[nodiscard]] std::string obstacle() {
    if (pid() < 0) return "no namespace";
    if (m_life == "pid used again" && geteuid() != 0) return "only root chooses a pid";
    return m_stage.prepare(pid());
  }

  // The game is watched: its life goes on.
  void openGate() {
    if (std::exchange(m_open, true)) return;
    REQUIRE(write(m_gate[1], "x", 1) == 1);
    if (m_life == "pid used again") m_director = std::thread([this] { bequeathPid(); });
    else if (m_stage.directs()) m_director = std::thread([this] { direct(); });
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
  void direct() {
    for (int patience = 0; patience < 6000 && m_log->phase != 1; ++patience) usleep(10'000);
    m_stage.act(*m_log);
  }

  std::string m_life;
  LifeProgram m_program;
  LifeStage m_stage;
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
