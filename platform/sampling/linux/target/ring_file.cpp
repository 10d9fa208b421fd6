#include "platform/sampling/linux/target/ring_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "platform/system/posix/regular_file.h"

#define FAULTLINE_FRAME_LAYOUT_ONLY
#include "resources/faultline_frame.h"

namespace faultline {
namespace {

// A file that the game could shorten would end this program with SIGBUS.
bool keepsItsSize(const UniqueFd& file) {
  struct stat status{};
  const int seals = fcntl(file.get(), F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(file.get(), &status) == 0 &&
         status.st_size == static_cast<off_t>(FrameRing::bytes());
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

bool isRing(int folder, const char* name) {
  std::array<char, 64> target{};
  const ssize_t size = readlinkat(folder, name, target.data(), target.size());
  return size > 0 && std::string_view(target.data(), static_cast<std::size_t>(size))
                         .starts_with("/memfd:" FAULTLINE_FRAME_FILE " ");
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

Result<std::optional<FrameRing>> findFrameRing(const WatchTarget& target, MonotonicTime now) {
  UniqueFd listed = target.folder().open("fd", O_RDONLY | O_DIRECTORY);
  const std::unique_ptr<DIR, CloseFolder> folder(listed ? fdopendir(listed.get()) : nullptr);
  if (!folder) {
    if (errno == ENOENT || errno == ESRCH) return fail("Process " + std::to_string(target.pid()) + " has exited.");
    return fail("The open files of process " + std::to_string(target.pid()) +
                " cannot be listed: " + std::strerror(errno) + ".");
  }
  const int files = listed.release();  // is the DIR's now
  while (const dirent* entry = readdir(folder.get())) {
    if (!isRing(files, entry->d_name)) continue;
    const UniqueFd file = openRegularFile(files, entry->d_name, 0, O_RDWR);
    if (!file) continue;
    auto ring = openFrameRing(file, now);
    if (!ring) return tl::unexpected(ring.error());
    if (ring->owner() == target.status().innerPid) return std::optional<FrameRing>(std::move(*ring));
  }
  return std::optional<FrameRing>();
}

}  // namespace faultline
