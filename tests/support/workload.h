// A child process that runs one round of work per request. Round 0 runs unmeasured, so that code, stack and page tables
// are mapped before the measured rounds.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "core/parse/proc_stat.h"

namespace faultline::test {

class Workload {
 public:
  // Calls work(0) before the constructor returns, then work(1), work(2) and so on, one per request.
  explicit Workload(const std::function<void(int)>& work) {
    std::array<int, 2> command{};
    std::array<int, 2> answer{};
    if (pipe(command.data()) != 0 || pipe(answer.data()) != 0) return;
    m_pid = fork();
    if (m_pid == 0) {
      close(command[1]);
      char byte = 0;
      for (int round = 0; read(command[0], &byte, 1) == 1; ++round) {
        work(round);
        if (write(answer[1], &byte, 1) != 1) break;
      }
      _exit(0);
    }
    close(command[0]);
    close(answer[1]);
    m_command = command[1];
    m_answer = answer[0];
    next();
  }
  ~Workload() {
    close(m_command);
    close(m_answer);
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  [[nodiscard]] pid_t pid() const { return m_pid; }
  void next() const {
    begin();
    end();
  }
  // Starts the next round without waiting for its end.
  void begin() const { (void)!write(m_command, "g", 1); }
  // Waits for the end of a round started so, or for that time.
  [[nodiscard]] bool endsWithin(int milliseconds) const {
    pollfd answer{.fd = m_answer, .events = POLLIN, .revents = 0};
    return poll(&answer, 1, milliseconds) == 1;
  }
  // Waits for the end of a round started so, and until the child has no more faults of its own.
  void end() const {
    char byte = 0;
    if (read(m_answer, &byte, 1) != 1) return;
    while (runs()) usleep(100);
  }

 private:
  [[nodiscard]] bool runs() const {
    std::ifstream file("/proc/" + std::to_string(m_pid) + "/stat");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto stat = parseProcStat(text);
    return stat && (stat->state == 'R' || stat->state == 'D');
  }

  pid_t m_pid = -1;
  int m_command = -1;
  int m_answer = -1;
};

}  // namespace faultline::test
