#include "platform/host/linux/symbols/jit_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/parse/proc_status.h"
#include "platform/system/posix/regular_file.h"

namespace faultline {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
constexpr std::size_t kAtOnce = std::size_t{64} << 10U;  // also the longest line that has a name
constexpr std::size_t kKept = 256;                       // bytes by which a file that goes on is known

std::string readAt(int file, std::uint64_t place, std::size_t bytes) {
  std::string text(bytes, '\0');
  const ssize_t got = pread(file, text.data(), bytes, static_cast<off_t>(place));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

// Only a file of the process's user, because others can write into /tmp, too.
UniqueFd JitNames::open(int process) {
  const UniqueFd text(openat(process, "status", O_RDONLY | O_CLOEXEC));
  struct stat owner{};
  if (!text || fstat(text.get(), &owner) != 0) return {};
  const auto status = parseProcStatus(readAt(text.get(), 0, 4096));
  if (!status) return {};
  m_path = fmt::format("root/tmp/perf-{}.map", status->innerPid);
  UniqueFd file = openRegularFile(process, m_path, O_NOFOLLOW);
  struct stat found{};
  const bool good = file && fstat(file.get(), &found) == 0 && found.st_uid == owner.st_uid;
  return good ? std::move(file) : UniqueFd();
}

std::string_view JitNames::at(int process, std::uint64_t address) {
  if (m_map.at(address).empty()) readMore(process);
  return m_map.at(address);
}

// A file that was written anew has other bytes where this one ended.
bool JitNames::goesOn(int file, std::uint64_t size) const {
  return size >= m_read && readAt(file, m_read - m_last.size(), m_last.size()) == m_last;
}

// The open file is read further after the process has ended.
bool JitNames::changes(int process) {
  const auto isNew = [&](const struct stat& now) {
    const Seen seen{now.st_ino, now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
    return std::exchange(m_seen, seen) != seen;
  };
  struct stat now{};
  const bool known = !m_path.empty() && fstatat(process, m_path.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0;
  if (known && !isNew(now)) return false;
  if (UniqueFd file = open(process)) m_file = std::move(file);
  return m_file && (known || (fstat(m_file.get(), &now) == 0 && isNew(now)));
}

void JitNames::readMore(int process) {
  struct stat status{};
  if (m_spent >= kMostBytes || !changes(process) || fstat(m_file.get(), &status) != 0) return;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (!goesOn(m_file.get(), size)) {
    m_read = 0;
    m_last.clear();
  }
  while (m_read < size && m_spent < kMostBytes) {
    const std::string text = readAt(m_file.get(), m_read, kAtOnce);
    m_spent += text.size();
    std::size_t used = m_map.add(text);
    if (used == 0 && text.size() < kAtOnce) return;  // a line without its end
    if (used == 0) used = text.size();
    m_read += used;
    m_last = text.substr(used - std::min(used, kKept), std::min(used, kKept));
  }
}

std::string JitNames::trouble() const {
  if (m_spent < kMostBytes && !m_map.full()) return {};
  return "Names of generated code may be missing: the game has written more of them for perf than this program reads "
         "(64 MB, or a million names).";
}

}  // namespace faultline
