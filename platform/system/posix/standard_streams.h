// The three standard streams, of which a caller may have closed some: what opens a file next would become one of them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace faultline {

// What is written to a stream that was closed still fails, and nothing else can become it.
inline void occupyClosedStreams() {
  int file = 0;
  do file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) ::close(file);
}

}  // namespace faultline
