// Headless: a process whose first thread has ended while another holds 16 MB.
#pragma once

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

namespace faultline::test {

class Headless {
 public:
  Headless() {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    m_pid = fork();
    if (m_pid == 0) {
      std::thread([out = ends[1]] {
        constexpr std::size_t kBytes = std::size_t{16} << 20U;
        static char* const memory = static_cast<char*>(std::malloc(kBytes));
        std::memset(memory, 1, kBytes);
        if (write(out, "x", 1) == 1) pause();
      }).detach();
      syscall(SYS_exit, 0);
    }
    char byte = 0;
    CHECK(read(ends[0], &byte, 1) == 1);
    for (const int end : ends) close(end);
    const std::string file = "/proc/" + std::to_string(m_pid) + "/stat";
    for (std::string text; text.find(") Z ") == std::string::npos; usleep(1000))
      std::getline(std::ifstream(file) >> std::ws, text);
  }
  ~Headless() {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Headless(const Headless&) = delete;
  Headless& operator=(const Headless&) = delete;

  [[nodiscard]] pid_t pid() const { return m_pid; }

 private:
  pid_t m_pid = 0;
};

}  // namespace faultline::test
