// A lock for tests that switch huge pages or rely on them: the switch is global to the machine.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace faultline::test {

class HugePagesTurn {
 public:
  HugePagesTurn() { static_cast<void>(flock(m_folder, LOCK_EX)); }
  ~HugePagesTurn() { close(m_folder); }
  HugePagesTurn(const HugePagesTurn&) = delete;
  HugePagesTurn& operator=(const HugePagesTurn&) = delete;

 private:
  int m_folder = open("/sys/kernel/mm/transparent_hugepage", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
};

}  // namespace faultline::test
