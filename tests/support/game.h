// A fake_game that runs as our child, and is gone with its owner.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace faultline::test {

class Game {
 public:
  explicit Game(std::vector<std::string> arguments) {
    std::string program = FAULTLINE_BIN "/fake_game";
    std::vector<char*> argv{program.data()};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    m_pid = fork();
    if (m_pid != 0) return;
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  ~Game() {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  [[nodiscard]] std::uint32_t pid() const { return static_cast<std::uint32_t>(m_pid); }
  void crash() const { kill(m_pid, SIGKILL); }

 private:
  pid_t m_pid;
};

}  // namespace faultline::test
