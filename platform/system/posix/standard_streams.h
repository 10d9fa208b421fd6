// Guards against standard streams closed by the caller: the next opened file would become a standard stream.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace faultline {

// Opens /dev/null read-only for each closed standard stream, so that writing to it still fails.
inline void occupyClosedStreams() {
  int file = 0;
  do file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) ::close(file);
}

}  // namespace faultline
