#include "platform/system/posix/process_folder.h"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <string_view>

namespace faultline {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

std::string ofThread(std::uint32_t thread, const std::string& name) {
  return "task/" + std::to_string(thread) + "/" + name;
}

std::optional<std::uint32_t> parseId(std::string_view text) {
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(id) : std::nullopt;
}

}  // namespace

std::string readText(int file, std::size_t most) {
  std::string text;
  std::array<char, 4096> piece{};  // the kernel gives a page at a time
  for (ssize_t got = 1; got > 0 && text.size() < most;) {
    got = pread(file, piece.data(), std::min(piece.size(), most - text.size()), static_cast<off_t>(text.size()));
    text.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  }
  return text;
}

ProcessFolder::ProcessFolder(std::uint32_t pid)
    : m_pid(pid), m_folder(::open(("/proc/" + std::to_string(pid)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

std::vector<std::uint32_t> ProcessFolder::threads() const {
  std::vector<std::uint32_t> threads;
  UniqueFd listed(openat(get(), "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, CloseFolder> folder(listed ? fdopendir(listed.get()) : nullptr);
  if (!folder) return threads;
  static_cast<void>(listed.release());  // is the DIR's now
  while (const dirent* const entry = readdir(folder.get()))
    if (const auto id = parseId(entry->d_name)) threads.push_back(*id);
  std::ranges::sort(threads);
  return threads;
}

// statm, which all users may read, is zeros for a thread without memory.
std::optional<std::uint32_t> ProcessFolder::livingThread() const {
  const auto hasMemory = [this](const std::string& statm) {
    const UniqueFd file(openat(get(), statm.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 2> begin{};
    return pread(file.get(), begin.data(), begin.size(), 0) == 2 && begin != std::array{'0', ' '};
  };
  if (hasMemory("statm")) return m_pid;
  for (const std::uint32_t thread : threads())
    if (hasMemory(ofThread(thread, "statm"))) return thread;
  return std::nullopt;
}

std::string ProcessFolder::pathOf(const std::string& name) const {
  const auto thread = livingThread().value_or(m_pid);
  return thread == m_pid ? name : ofThread(thread, name);
}

// A thread that lives may end before the file is opened.
UniqueFd ProcessFolder::open(const std::string& name, int flags) const {
  UniqueFd file;
  for (int tries = 3; tries > 0 && !file; --tries) {
    file = UniqueFd(openat(get(), pathOf(name).c_str(), flags | O_CLOEXEC));
    if (errno != ESRCH && errno != ENOENT) break;
  }
  return file;
}

// The list is of the memory at its opening, and empty once the process has executed another program meanwhile.
std::optional<std::string> ProcessFolder::readMaps(std::size_t most) const {
  std::string text;
  for (int tries = 3; tries > 0 && text.empty(); --tries) {
    const UniqueFd maps = open("maps");
    if (!maps) return std::nullopt;
    text = readText(maps.get(), most);
  }
  return text;
}

std::string ProcessFolder::link(const std::string& name) const {
  std::array<char, 4096> target{};
  const ssize_t size = readlinkat(get(), pathOf(name).c_str(), target.data(), target.size());
  return {target.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

UniqueFd ProcessFolder::openOfProcess(const std::string& name) const {
  return UniqueFd(openat(get(), name.c_str(), O_RDONLY | O_CLOEXEC));
}

std::string ProcessFolder::readOfProcess(const std::string& name) const {
  return readText(openOfProcess(name).get());
}

UniqueFd ProcessFolder::openOfThread(std::uint32_t thread, const std::string& name) const {
  return UniqueFd(openat(get(), ofThread(thread, name).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace faultline
