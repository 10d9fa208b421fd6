// A child that touches exactly as many fresh pages as it is told, between one byte and the next, and nothing else.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace faultline::test {

enum class Touch : char {
  Write = 'w',     // writes one byte into each page of a fresh mapping
  Read = 'r',      // reads one: the shared zero page
  Map = 'm',       // maps them, and touches none
  Populate = 'p',  // lets the kernel fault them all in by MAP_POPULATE
};

class Toucher {
 public:
  Toucher(Touch how, std::size_t pages);
  ~Toucher();
  Toucher(const Toucher&) = delete;
  Toucher& operator=(const Toucher&) = delete;

  [[nodiscard]] pid_t pid() const { return m_pid; }
  void touch();  // once; returns when it is done

 private:
  void step() const;

  pid_t m_pid = -1;
  int m_command = -1;
  int m_answer = -1;
};

}  // namespace faultline::test
