// A child process that has children of its own, all of which have ended when have() returns: see programs/parent.cpp.
#pragma once

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>

namespace faultline::test {

class Parent {
 public:
  Parent() {
    std::array<int, 2> ends{};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    m_pid = fork();
    if (m_pid == 0) {
      dup2(ends[1], STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      execl(FAULTLINE_BIN "/parent", "parent", nullptr);
      _exit(127);
    }
    close(ends[1]);
    m_connection = ends[0];
  }
  ~Parent() {
    close(m_connection);
    waitpid(m_pid, nullptr, 0);
  }
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;

  [[nodiscard]] std::uint64_t pid() const { return static_cast<std::uint64_t>(m_pid); }

  // Adds each child's minor faults to faults().
  void have(std::uint32_t children, std::uint32_t pages = 0) {
    const std::array<std::uint32_t, 2> request{children, pages};
    REQUIRE(write(m_connection, request.data(), sizeof request) == sizeof request);
    for (std::uint32_t i = 0; i < children; ++i) {
      std::array<std::uint32_t, 2> answer{};
      REQUIRE(recv(m_connection, answer.data(), sizeof answer, MSG_WAITALL) == sizeof answer);
      m_faultsOf[answer[0]] = answer[1];
      m_faults += answer[1];
    }
  }
  [[nodiscard]] std::uint64_t faults() const { return m_faults; }
  [[nodiscard]] std::uint64_t faultsOf(std::uint32_t child) const { return m_faultsOf.at(child); }

 private:
  pid_t m_pid = -1;
  int m_connection = -1;
  std::map<std::uint32_t, std::uint64_t> m_faultsOf;  // by pid
  std::uint64_t m_faults = 0;
};

}  // namespace faultline::test
