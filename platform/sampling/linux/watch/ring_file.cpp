#include "platform/sampling/linux/watch/ring_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace faultline {
namespace {

// A file that the game could shorten would end this program with SIGBUS.
bool keepsItsSize(const UniqueFd& file) {
  struct stat status{};
  const int seals = fcntl(file.get(), F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(file.get(), &status) == 0 &&
         status.st_size == static_cast<off_t>(FrameRing::bytes());
}

}  // namespace

Result<FrameRing> openFrameRing(const UniqueFd& file, MonotonicTime now) {
  if (!keepsItsSize(file)) return FrameRing::otherVersion();
  const std::size_t bytes = FrameRing::bytes();
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.get(), 0);
  if (memory == MAP_FAILED)
    return fail(std::string("The game's frame marks cannot be read: ") + std::strerror(errno) + ".");
  return FrameRing::over({memory, [bytes](void* mapped) { munmap(mapped, bytes); }}, now);
}

}  // namespace faultline
