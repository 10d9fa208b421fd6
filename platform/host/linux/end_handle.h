// EndHandle: a handle for waitAny(), ready once a child has ended. Holds a descriptor (pidfd_open(2)), or where the
// system refuses it, such as in a sandbox or with no descriptor left, does without.
#pragma once

#include <sys/types.h>

#include "platform/host/wait.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class EndHandle {
 public:
  EndHandle() = default;
  explicit EndHandle(pid_t child);
  [[nodiscard]] WaitHandle get() const;

 private:
  pid_t m_child = 0;
  UniqueFd m_file;
};

}  // namespace faultline
