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
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

void addId(const char* name, std::vector<std::uint32_t>& ids) {
  const char* const end = name + std::strlen(name);
  std::uint32_t id = 0;
  const auto parsed = std::from_chars(name, end, id);
  if (parsed.ec == std::errc{} && parsed.ptr == end) ids.push_back(id);
}

// Without the C library's DIR, which makes calls that are forbidden to a confined collector.
int listIds(int folder, std::vector<std::uint32_t>& ids) {
  alignas(dirent64) std::array<char, 8192> buffer{};
  for (;;) {
    const long size = syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
    if (size <= 0) return size < 0 ? -errno : 0;
    for (long at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      addId(entry->d_name, ids);
      at += entry->d_reclen;
    }
  }
}

class RealProcFiles final : public ProcFiles {
 public:
  explicit RealProcFiles(UniqueFd root) : m_root(std::move(root)) {}

  [[nodiscard]] int list(const char* folder, std::vector<std::uint32_t>& pids) override {
    if (std::strcmp(folder, ".") == 0) {
      lseek(m_root.get(), 0, SEEK_SET);
      return listIds(m_root.get(), pids);
    }
    const UniqueFd file(openat(m_root.get(), folder, O_RDONLY | O_CLOEXEC));  // confine/ allows no other flag
    return file ? listIds(file.get(), pids) : -errno;
  }

  [[nodiscard]] int open(const char* path) override {
    const int file = openat(m_root.get(), path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? -errno : file;
  }

  [[nodiscard]] std::ptrdiff_t read(int file, std::span<char> buffer, std::size_t offset) override {
    const ssize_t count = pread(file, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    return count < 0 ? -errno : count;
  }

  void close(int file) override { ::close(file); }
  [[nodiscard]] int root() const override { return m_root.get(); }

 private:
  UniqueFd m_root;
};

}  // namespace

Result<std::unique_ptr<ProcFiles>> makeProcFiles(const std::string& root) {
  UniqueFd directory(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory)
    return fail("Cannot read " + root + ": " + std::strerror(errno) + ". Is the proc file system mounted there?");
  return std::make_unique<RealProcFiles>(std::move(directory));
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

std::ptrdiff_t readStatmOfThread(ProcFiles& files, std::uint32_t pid, std::span<char> buffer,
                                 std::vector<std::uint32_t>& threads) {
  std::array<char, 48> path{};
  std::snprintf(path.data(), path.size(), "%u/task", pid);
  threads.clear();
  if (const int failed = files.list(path.data(), threads); failed != 0) return failed;
  for (const std::uint32_t thread : threads) {
    if (thread == pid) continue;
    std::snprintf(path.data(), path.size(), "%u/task/%u/statm", pid, thread);
    const int file = files.open(path.data());
    if (file < 0) continue;
    const std::ptrdiff_t size = files.read(file, buffer, 0);
    files.close(file);
    if (size > 0) return size;
  }
  return -ESRCH;
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
