#include "platform/linux/proc_files_linux.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

namespace faultline {
namespace {

class RealProcFiles final : public ProcFiles {
 public:
  explicit RealProcFiles(DIR* directory) : m_directory(directory) {}
  ~RealProcFiles() override { closedir(m_directory); }
  RealProcFiles(const RealProcFiles&) = delete;
  RealProcFiles& operator=(const RealProcFiles&) = delete;

  [[nodiscard]] int list(std::vector<std::uint32_t>& pids) override {
    rewinddir(m_directory);
    for (;;) {
      errno = 0;
      const dirent* entry = readdir(m_directory);
      if (entry == nullptr) return -errno;
      const char* const end = entry->d_name + std::strlen(entry->d_name);
      std::uint32_t pid = 0;
      const auto parsed = std::from_chars(entry->d_name, end, pid);
      if (parsed.ec == std::errc{} && parsed.ptr == end) pids.push_back(pid);
    }
  }

  [[nodiscard]] int open(const char* path) override {
    const int file = openat(dirfd(m_directory), path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? -errno : file;
  }

  [[nodiscard]] std::ptrdiff_t read(int file, std::span<char> buffer, std::size_t offset) override {
    const ssize_t count = pread(file, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    return count < 0 ? -errno : count;
  }

  void close(int file) override { ::close(file); }

 private:
  DIR* m_directory;
};

}  // namespace

Result<std::unique_ptr<ProcFiles>> makeProcFiles(const std::string& root) {
  DIR* const directory = opendir(root.c_str());
  if (directory == nullptr) {
    return fail("Cannot read " + root + ": " + std::strerror(errno) + ". Is the proc file system mounted there?");
  }
  return std::make_unique<RealProcFiles>(directory);
}

std::string_view readWhole(ProcFiles& files, int file, std::vector<char>& buffer) {
  std::size_t size = 0;
  for (;;) {
    if (size == buffer.size()) buffer.resize(std::max<std::size_t>(2 * size, 4096));
    const std::ptrdiff_t count = files.read(file, std::span(buffer).subspan(size), size);
    if (count < 0) return {};
    if (count == 0) return {buffer.data(), size};
    size += static_cast<std::size_t>(count);
  }
}

std::size_t raiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;  // what any system allows
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace faultline
