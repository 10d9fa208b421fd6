#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/text/quantity.h"
#include "platform/desktop/processes.h"

namespace faultline {
namespace {

constexpr std::size_t kMostDescendants = 1000;

// Each thread has a list of those that it has started itself (CONFIG_PROC_CHILDREN).
void addChildren(std::uint32_t pid, std::vector<std::uint32_t>& found) {
  std::error_code gone;  // it may end while we look
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", pid), gone);
  for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
    std::ifstream children(thread->path() / "children");
    for (std::uint32_t child = 0; found.size() < kMostDescendants && children >> child;) found.push_back(child);
  }
}

}  // namespace

std::string nameProcess(std::uint32_t pid) {
  std::ifstream file(fmt::format("/proc/{}/comm", pid));
  std::string name;
  std::getline(file, name);
  return name.empty() ? std::to_string(pid) : fmt::format("{} ({})", printableName(name), pid);
}

// The folder of one that lets nobody look into it belongs to root.
std::string whyNotOurs(std::uint32_t pid) {
  struct stat folder{};
  if (::stat(fmt::format("/proc/{}", pid).c_str(), &folder) != 0) return "The process has ended.";
  if (getuid() == 0 || folder.st_uid == getuid()) return {};
  return "The process belongs to another user, or lets nobody look into it.";
}

std::vector<std::uint32_t> descendantsOf(std::uint32_t pid) {
  std::vector<std::uint32_t> found;
  addChildren(pid, found);
  for (std::size_t next = 0; next < found.size(); ++next) addChildren(found[next], found);
  return found;
}

}  // namespace faultline
