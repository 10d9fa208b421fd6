// Runs fake_game as a child process; the destructor kills it.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace faultline::test {

class Game {
 public:
  // Runs as `user` and the group with the same number, if set; that needs root.
  explicit Game(std::vector<std::string> arguments, std::optional<uid_t> user = {}) {
    std::string program = FAULTLINE_BIN "/fake_game";
    std::vector<char*> argv{program.data()};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    m_pid = fork();
    if (m_pid != 0) return;
    if (user && (setgid(*user) != 0 || setuid(*user) != 0)) _exit(126);
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
  // False once the game has ended.
  [[nodiscard]] bool plays() const { return waitpid(m_pid, nullptr, WNOHANG) == 0; }
  void crash() const { kill(m_pid, SIGKILL); }

 private:
  pid_t m_pid;
};

// Waits until the child process has become the game.
inline void waitForGame(const Game& game) {
  using std::chrono_literals::operator""ms;
  const std::filesystem::path program = "/proc/" + std::to_string(game.pid()) + "/exe";
  while (std::filesystem::read_symlink(program).filename() != "fake_game") std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(50ms);
}

}  // namespace faultline::test
