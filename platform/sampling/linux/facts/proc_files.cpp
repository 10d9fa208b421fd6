#include "platform/sampling/linux/facts/proc_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

  [[nodiscard]] int list(const char* folder, std::vector<std::uint32_t>& pids) override {
    if (std::strcmp(folder, ".") == 0) {
      rewinddir(m_directory);
      return list(m_directory, pids);
    }
    const int file = open(folder);
    if (file < 0) return file;
    const int result = listBare(file, pids);
    close(file);
    return result;
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
  static void add(const char* name, std::vector<std::uint32_t>& pids) {
    const char* const end = name + std::strlen(name);
    std::uint32_t pid = 0;
    const auto parsed = std::from_chars(name, end, pid);
    if (parsed.ec == std::errc{} && parsed.ptr == end) pids.push_back(pid);
  }

  static int list(DIR* directory, std::vector<std::uint32_t>& pids) {
    for (;;) {
      errno = 0;
      const dirent* entry = readdir(directory);
      if (entry == nullptr) return -errno;
      add(entry->d_name, pids);
    }
  }

  // Without the C library's DIR, which makes calls that are forbidden to a confined collector.
  static int listBare(int file, std::vector<std::uint32_t>& pids) {
    alignas(dirent64) std::array<char, 4096> buffer{};
    for (;;) {
      const long size = syscall(SYS_getdents64, file, buffer.data(), buffer.size());
      if (size <= 0) return size < 0 ? -errno : 0;
      for (long at = 0; at < size;) {
        const auto* const entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
        add(entry->d_name, pids);
        at += entry->d_reclen;
      }
    }
  }

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
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;  // any system allows this
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace faultline
