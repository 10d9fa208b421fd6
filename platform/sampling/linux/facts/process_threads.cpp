#include "platform/sampling/linux/facts/process_threads.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>

namespace faultline {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

std::vector<std::uint32_t> threadsOf(int process) {
  std::vector<std::uint32_t> threads;
  const std::unique_ptr<DIR, CloseFolder> folder(
      fdopendir(openat(process, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  if (!folder) return threads;
  while (const dirent* entry = readdir(folder.get())) {
    std::uint32_t thread = 0;
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, thread).ptr == end) threads.push_back(thread);
  }
  std::ranges::sort(threads);
  return threads;
}

}  // namespace faultline
