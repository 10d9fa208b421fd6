// A child process that touches an exact number of fresh pages on request, and does nothing else.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace faultline::test {

enum class Touch : char {
  Write = 'w',     // writes one byte into each page of a fresh mapping
  Read = 'r',      // reads one byte of each page: the shared zero page
  Map = 'm',       // maps the pages, and touches none
  Populate = 'p',  // faults all pages in by MAP_POPULATE
};

class Toucher {
 public:
  Toucher(Touch how, std::size_t pages);
  ~Toucher();
  Toucher(const Toucher&) = delete;
  Toucher& operator=(const Toucher&) = delete;

  [[nodiscard]] pid_t pid() const { return m_pid; }
  void touch();  // one round; returns when it is done

 private:
  void step() const;

  pid_t m_pid = -1;
  int m_command = -1;
  int m_answer = -1;
};

}  // namespace faultline::test
