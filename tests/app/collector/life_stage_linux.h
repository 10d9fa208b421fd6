// LifeStage: what the life of a lifecycle program (support/programs/lifecycle.cpp) asks of its surroundings: a signal,
// a group of processes that is frozen or has a limit. LifeProgram: a file of its own for each game; for some
// lives with a copy that has more rights.
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
  // Not shared with tests that run beside this one: where a game's first thread has ended, the kernel takes its probe
  // away as soon as another watcher of the same file ends.
  explicit LifeProgram(const std::string& life) {
    std::filesystem::create_directories(m_folder);
    chmod(m_folder.c_str(), 0755);
    copyTo(path(), 0755);
    if (life.starts_with("setuid")) copyTo(path() + "-setuid", 04755);
  }
  ~LifeProgram() { std::filesystem::remove_all(m_folder); }
  LifeProgram(const LifeProgram&) = delete;
  LifeProgram& operator=(const LifeProgram&) = delete;

  [[nodiscard]] const std::string& path() const { return m_path; }

 private:
  static void copyTo(const std::string& copy, mode_t mode) {
    std::filesystem::copy_file(FAULTLINE_BIN "/lifecycle", copy, std::filesystem::copy_options::overwrite_existing);
    chmod(copy.c_str(), mode);
  }

  std::filesystem::path m_folder =
      std::filesystem::temp_directory_path() / ("faultline-life-" + std::to_string(getpid()));
  std::string m_path = m_folder / "lifecycle";
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
