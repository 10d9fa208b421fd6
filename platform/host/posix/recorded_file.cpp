#include "platform/host/recorded_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

// FIFOs and devices are left alone, because opening a FIFO would wake its reader. Other errors are ignored:
// RecordingWriter::create() reports them. False: the file exists, or is a link (O_EXCL), and must be kept.
bool makePrivate(const std::filesystem::path& path, Existing existing) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return true;
    if (existing == Existing::Keep) return false;
    chmod(path.c_str(), kOwnerOnly);
  } else if (errno == ENOENT) {
    const int alone = existing == Existing::Keep ? O_EXCL : 0;
    const UniqueFd created(open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | alone, kOwnerOnly));
    return created || errno != EEXIST;
  }
  return true;
}

}  // namespace

Result<void> makeRecorded(const std::filesystem::path& path, Existing existing) {
  if (makePrivate(path, existing)) return {};
  return fail(path.string() + " exists meanwhile. Name another file.");
}

Result<RecordingWriter> createRecording(const std::filesystem::path& path, const Hello& hello, Existing existing) {
  if (auto made = makeRecorded(path, existing); !made) return tl::unexpected(std::move(made.error()));
  return RecordingWriter::create(path, hello);
}

}  // namespace faultline
