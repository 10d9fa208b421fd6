// Opens a file at a path that another program chose. To open a device or a pipe may be an act, such as to start a
// watchdog or to wake a writer, so these functions look at a file before they open it. errno is EINVAL for other files
// than regular ones, and for files without content: those of /proc have none, and to read one of them may be an act,
// too.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "platform/system/posix/unique_fd.h"

namespace faultline {

// `found`: a descriptor of the file with O_PATH. The same file is opened, whatever has become of its path.
[[nodiscard]] inline UniqueFd openFound(const UniqueFd& found, int access = O_RDONLY) {
  struct stat status{};
  if (!found || fstat(found.get(), &status) != 0) return {};
  const std::string path = "/proc/self/fd/" + std::to_string(found.get());
  if (S_ISREG(status.st_mode) && status.st_size > 0)
    return UniqueFd(open(path.c_str(), access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  errno = EINVAL;
  return {};
}

// `more`: flags of the look, such as O_NOFOLLOW.
[[nodiscard]] inline UniqueFd openRegularFile(int folder, const std::string& path, int more = 0,
                                              int access = O_RDONLY) {
  return openFound(UniqueFd(openat(folder, path.c_str(), O_PATH | O_CLOEXEC | more)), access);
}

}  // namespace faultline
