#include "platform/host/recorded_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

// FIFOs and devices are left alone, because opening a FIFO would wake its reader. Errors are ignored:
// RecordingWriter::create() reports them.
void makePrivate(const std::filesystem::path& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISREG(status.st_mode)) chmod(path.c_str(), kOwnerOnly);
  } else if (errno == ENOENT) {
    const UniqueFd created(open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, kOwnerOnly));
  }
}

}  // namespace

Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello) {
  makePrivate(path);
  return RecordingWriter::create(path, hello);
}

}  // namespace faultline
