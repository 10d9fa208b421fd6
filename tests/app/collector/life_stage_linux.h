// LifeStage: what the life of a lifecycle program (support/programs/lifecycle.cpp) asks of its surroundings: a signal,
// a group of processes that is frozen or has a limit. LifeProgram: its file; for some lives a file of its own, or
// with a copy of more rights.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "tests/support/life_log.h"

namespace faultline::test {

class LifeProgram {
 public:
  explicit LifeProgram(const std::string& life) {
    // Where the first thread of a game has ended, the kernel takes its probe away as soon as another watcher of the
    // same file ends, such as that of a test which runs beside this one.
    const bool alone = life.starts_with("first thread");
    if (!alone && !life.starts_with("setuid")) return;
    m_copies = std::filesystem::temp_directory_path() / ("faultline-life-" + std::to_string(getpid()));
    std::filesystem::create_directories(m_copies);
    chmod(m_copies.c_str(), 0755);
    const std::string copy = m_copies / "lifecycle";
    for (const char* const end : {"", "-setuid"})
      std::filesystem::copy_file(m_path, copy + end, std::filesystem::copy_options::overwrite_existing);
    chmod(copy.c_str(), 0755);
    chmod((copy + "-setuid").c_str(), 04755);
    m_path = copy;
  }
  ~LifeProgram() {
    if (!m_copies.empty()) std::filesystem::remove_all(m_copies);
  }
  LifeProgram(const LifeProgram&) = delete;
  LifeProgram& operator=(const LifeProgram&) = delete;

  [[nodiscard]] const std::string& path() const { return m_path; }

 private:
  std::string m_path = FAULTLINE_BIN "/lifecycle";
  std::filesystem::path m_copies;
};

class LifeStage {
 public:
  explicit LifeStage(std::string life) : m_life(std::move(life)) {}
  ~LifeStage() {
    if (!m_group.empty()) rmdir(m_group.c_str());
  }
  LifeStage(const LifeStage&) = delete;
  LifeStage& operator=(const LifeStage&) = delete;

  [[nodiscard]] bool directs() const { return m_life == "stopped" || m_life == "frozen" || m_life == "memory limit"; }

  // Why the game cannot live this life on this machine; empty: it can.
  [[nodiscard]] std::string prepare(pid_t game) {
    if (m_life == "frozen" && !join(game, "/sys/fs/cgroup/unified", "/sys/fs/cgroup")) return "no cgroup v2";
    if (m_life == "memory limit" && !join(game, "/sys/fs/cgroup/memory", "/sys/fs/cgroup")) return "no memory cgroup";
    return {};
  }

  // For a game in phase 1, which is then over.
  void act(LifeLog& log) {
    const pid_t game = log.pid;
    if (m_life == "frozen") std::ofstream(m_group + "/cgroup.freeze") << 1;
    log.phase = 0;
    if (m_life == "frozen" || m_life == "stopped") usleep(300'000);
    if (m_life == "stopped") kill(game, SIGCONT);
    if (m_life == "frozen") std::ofstream(m_group + "/cgroup.freeze") << 0;
  }

 private:
  // A group of processes for the game alone: of the first of these hierarchies in which one can be made.
  bool join(pid_t game, const std::string& first, const std::string& second) {
    for (const std::string& hierarchy : {first, second}) {
      m_group = hierarchy + "/faultline-life-" + std::to_string(getpid());
      if (mkdir(m_group.c_str(), 0755) != 0 && errno != EEXIST) continue;
      const bool v1 = std::filesystem::exists(m_group + "/memory.limit_in_bytes");
      const bool can = m_life == "frozen" ? std::filesystem::exists(m_group + "/cgroup.freeze")
                                          : v1 || std::filesystem::exists(m_group + "/memory.max");
      if (can && m_life == "memory limit")
        std::ofstream(m_group + (v1 ? "/memory.limit_in_bytes" : "/memory.max")) << (24 << 20);
      std::ofstream members(m_group + "/cgroup.procs");
      if (can && members << game << std::flush) return true;
      rmdir(m_group.c_str());
    }
    m_group.clear();
    return false;
  }

  std::string m_life;
  std::string m_group;
};

}  // namespace faultline::test
