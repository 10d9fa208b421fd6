#include "platform/host/linux/end_handle.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "platform/host/posix/waits/children.h"

namespace faultline {

// glibc 2.36 declares pidfd_open() without extern "C". The kernel sets close-on-exec.
EndHandle::EndHandle(pid_t child) : m_child(child), m_file(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))) {}

WaitHandle EndHandle::get() const {
  if (m_file) return m_file.get();
  return m_child > 0 ? endOf(m_child) : kNoHandle;
}

}  // namespace faultline
