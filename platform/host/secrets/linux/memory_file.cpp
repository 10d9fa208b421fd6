#include "platform/host/secrets/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "platform/system/posix/unique_fd.h"

namespace faultline {

struct MemoryFile::State {
  UniqueFd file;
  std::string path;
};

Result<MemoryFile> MemoryFile::holding(std::string_view text) {
  UniqueFd file(memfd_create("faultline", MFD_CLOEXEC));
  while (file && !text.empty()) {
    const ssize_t written = write(file.get(), text.data(), text.size());
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR) file.reset();
  }
  if (!file) return fail("No file can be held in memory: " + std::generic_category().message(errno) + ".");
  std::string path = "/proc/self/fd/" + std::to_string(file.get());
  return MemoryFile(makeHidden<State>(State{std::move(file), std::move(path)}));
}

const std::string& MemoryFile::path() const {
  return m_state->path;
}

}  // namespace faultline
