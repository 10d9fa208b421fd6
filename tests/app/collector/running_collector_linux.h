// Collector of running_collector.h on Linux.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::test {

struct CollectorStart {
  std::string program = FAULTLINE_BIN "/faultline-collector";
  std::optional<uid_t> user{};  // and the group of the same number; needs root
};

class Collector {
 public:
  enum class Input { Inherit, Pipe };

  explicit Collector(std::vector<std::string> arguments, Input input = Input::Inherit,
                     const CollectorStart& start = {}) {
    Ends in;
    Ends out;
    Ends errors;
    std::vector<char*> argv{const_cast<char*>(start.program.c_str())};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    m_pid = fork();
    if (m_pid == 0) {
      if (input == Input::Pipe) dup2(in.theirsToRead(), STDIN_FILENO);
      dup2(out.theirsToWrite(), STDOUT_FILENO);
      dup2(errors.theirsToWrite(), STDERR_FILENO);
      close_range(STDERR_FILENO + 1, ~0U, 0);  // inherited from the test
      if (start.user && (setgid(*start.user) != 0 || setuid(*start.user) != 0)) _exit(126);
      execv(start.program.c_str(), argv.data());
      _exit(127);
    }
    m_input = in.keep(1);
    m_output = out.keep(0);
    m_errors = errors.keep(0);
  }
  ~Collector() {
    endInput();
    stopReading();
    close(m_errors);
    if (m_pid <= 0 || endsByItself()) return;
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  std::vector<std::byte> readOutput() const {
    std::vector<std::byte> bytes(1 << 16);
    const ssize_t count = read(m_output, bytes.data(), bytes.size());
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  std::string readErrors() const {
    std::string text;
    std::array<char, 1000> buffer{};
    for (ssize_t count = 0; (count = read(m_errors, buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    return text;
  }
  void tell(std::string_view wishes) const {
    REQUIRE(write(m_input, wishes.data(), wishes.size()) == static_cast<ssize_t>(wishes.size()));
  }
  void endInput() { closeOnce(m_input); }
  void stopReading() { closeOnce(m_output); }
  void stop() const { signal(SIGTERM); }
  void signal(int number) const { kill(m_pid, number); }
  int exitCode() {
    int status = 0;
    waitpid(m_pid, &status, 0);
    m_pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  [[nodiscard]] pid_t pid() const { return m_pid; }

 private:
  class Ends {
   public:
    Ends() { REQUIRE(pipe2(m_ends.data(), O_CLOEXEC) == 0); }
    [[nodiscard]] int theirsToRead() const { return m_ends[0]; }
    [[nodiscard]] int theirsToWrite() const { return m_ends[1]; }
    [[nodiscard]] int keep(std::size_t end) const {
      close(m_ends.at(1 - end));
      return m_ends.at(end);
    }

   private:
    std::array<int, 2> m_ends{};
  };

  // The reader has left. The kernel leaks a uprobe if its owner is killed while the kernel removes the uprobe.
  [[nodiscard]] bool endsByItself() const {
    for (int patience = 0; patience < 300; ++patience) {
      if (waitpid(m_pid, nullptr, WNOHANG) == m_pid) return true;
      usleep(10'000);
    }
    return false;
  }
  static void closeOnce(int& file) {
    if (file >= 0) close(file);
    file = -1;
  }

  pid_t m_pid = -1;
  int m_input = -1;
  int m_output = -1;
  int m_errors = -1;
};

}  // namespace faultline::test
