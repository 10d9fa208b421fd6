// A turn for a test that ends thousands of children: if two such tests ran at once, each would take the room for names
// that the other needs.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace faultline::test {

class EndsTurn {
 public:
  EndsTurn() { static_cast<void>(flock(m_programs, LOCK_EX)); }
  ~EndsTurn() { close(m_programs); }
  EndsTurn(const EndsTurn&) = delete;
  EndsTurn& operator=(const EndsTurn&) = delete;

 private:
  int m_programs = open(FAULTLINE_BIN, O_RDONLY | O_CLOEXEC);
};

}  // namespace faultline::test
