// TriedGame: a lifecycle program that `faultline-cli try` starts, as often as it likes, and the faults that each run
// has counted for itself.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/app/collector/life_stage_linux.h"
#include "tests/support/life_log.h"
#include "tests/support/scratch_folder.h"

namespace faultline::test {

class TriedGame {
 public:
  explicit TriedGame(std::string life) : m_life(std::move(life)), m_program(m_life), m_stage(m_life) {
    chmod(m_folder.c_str(), 0755);
    const int file = open(logFile().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    REQUIRE(fchmod(file, 0666) == 0);
    REQUIRE(ftruncate(file, sizeof(LifeLog)) == 0);
    m_log = static_cast<LifeLog*>(mmap(nullptr, sizeof(LifeLog), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    REQUIRE(m_log != MAP_FAILED);
    close(file);
    m_director = std::thread([this] {
      for (; !m_over; usleep(2000)) direct();
    });
  }
  ~TriedGame() {
    m_over = true;
    m_director.join();
    munmap(m_log, sizeof(LifeLog));
    std::filesystem::remove_all(m_folder);
  }
  TriedGame(const TriedGame&) = delete;
  TriedGame& operator=(const TriedGame&) = delete;

  [[nodiscard]] std::vector<std::string> command() const {
    return {m_program.path(), m_life, logFile(), "/dev/null", "quiet"};
  }
  // Why it could not be lived; valid after the runs.
  [[nodiscard]] const std::string& obstacle() const { return m_obstacle; }
  [[nodiscard]] std::uint32_t runs() const { return m_log->runs; }
  // Whether these may be the faults of a run: the game counts its own, and those before main() belong in part to the
  // process that became the game. `more`: it may have ended after so many more.
  [[nodiscard]] bool hasRunWith(std::uint64_t faults, std::uint64_t more) const {
    const std::span known(m_log->run, std::min(m_log->runs.load(), LifeLog::kMostRuns));
    return std::ranges::any_of(
        known, [&](const LifeRun& run) { return run.atEnd - run.atMain <= faults && faults <= run.atEnd + more; });
  }
  [[nodiscard]] std::string counts() const {
    std::string text;
    for (std::uint32_t i = 0; i < std::min(m_log->runs.load(), LifeLog::kMostRuns); ++i)
      text +=
          ' ' + std::to_string(m_log->run[i].atEnd - m_log->run[i].atMain) + ".." + std::to_string(m_log->run[i].atEnd);
    return text;
  }

 private:
  [[nodiscard]] std::string logFile() const { return m_folder / "log"; }

  void direct() {
    if (m_log->phase == 2) m_log->phase = 0;  // the outer process of a namespace has seen the end of the inner one
    if (m_log->phase != 1) return;
    if (const std::string obstacle = m_stage.prepare(m_log->pid); !obstacle.empty()) m_obstacle = obstacle;
    m_stage.act(*m_log);
  }

  std::string m_life;
  LifeProgram m_program;
  LifeStage m_stage;
  std::filesystem::path m_folder = makeScratchFolder();
  LifeLog* m_log = nullptr;
  std::string m_obstacle;
  std::atomic<bool> m_over = false;
  std::thread m_director;
};

}  // namespace faultline::test
