#include "platform/host/linux/symbols/jit_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "core/parse/proc_status.h"
#include "core/text/quantity.h"
#include "platform/system/posix/clock.h"
#include "platform/system/posix/process_folder.h"
#include "platform/system/posix/regular_file.h"

namespace faultline {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;
constexpr std::size_t kAtOnce = std::size_t{64} << 10U;            // also the longest line that has a name
constexpr std::size_t kKept = 256;                                 // last bytes by which a file that goes on is known
constexpr Nanoseconds kLookAgain = std::chrono::milliseconds(50);  // between two looks for names that are known

std::string readAt(int file, std::uint64_t place, std::size_t bytes) {
  std::string text(bytes, '\0');
  const ssize_t got = pread(file, text.data(), bytes, static_cast<off_t>(place));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

Nanoseconds nanoseconds(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

// When the file was created, where its file system keeps that.
std::optional<Nanoseconds> birth(int file) {
  struct statx found{};
  if (statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &found) != 0 || (found.stx_mask & STATX_BTIME) == 0)
    return std::nullopt;
  return std::chrono::seconds(found.stx_btime.tv_sec) + Nanoseconds(found.stx_btime.tv_nsec);
}

}  // namespace

// Only a file of the process's user, because others can write into /tmp, too.
UniqueFd JitNames::open(int process) {
  const UniqueFd text(openat(process, "status", O_RDONLY | O_CLOEXEC));
  struct stat owner{};
  if (!text || fstat(text.get(), &owner) != 0) return {};
  const auto status = parseProcStatus(readText(text.get()));
  if (!status) return {};
  m_path = fmt::format("root/tmp/perf-{}.map", status->innerPid);
  UniqueFd file = openRegularFile(process, m_path, O_NOFOLLOW);
  struct stat found{};
  const bool good = file && fstat(file.get(), &found) == 0 && found.st_uid == owner.st_uid;
  return good ? std::move(file) : UniqueFd();
}

// Of a fault between the writing of two maps, the earlier one has the name, unless its code is younger than that one.
std::string_view JitNames::nameAt(std::uint64_t address, MonotonicTime time) {
  const bool older = m_map.since && time < *m_map.since;
  if (!older) return m_map.names.at(address);
  const auto before = m_before.names.at(address);
  if (!before.empty() && m_before.since <= time) return before;
  const auto name = before.empty() ? m_map.names.at(address) : before;
  if (!name.empty() && time > std::exchange(m_newestStale, std::max(time, m_newestStale))) ++m_stale;
  return name;
}

std::string_view JitNames::at(int process, std::uint64_t address, MonotonicTime time) {
  const MonotonicTime now{readClock(CLOCK_MONOTONIC)};
  if (nameAt(address, time).empty() || !m_looked || now - *m_looked >= kLookAgain) {
    m_looked = now;
    readMore(process);
  }
  return nameAt(address, time);
}

// A file that has only grown has the same bytes as before.
bool JitNames::goesOn(const Seen& before) const {
  const int file = m_file.get();
  return m_seen.inode == before.inode && m_seen.size > before.size && readAt(file, 0, m_first.size()) == m_first &&
         readAt(file, m_read - m_last.size(), m_last.size()) == m_last;
}

// The open file is read further after the process has ended.
bool JitNames::changes(int process) {
  struct stat now{};
  const auto isNew = [&] {
    const Seen seen{now.st_ino, static_cast<std::uint64_t>(now.st_size), nanoseconds(now.st_mtim)};
    return seen != m_seen;
  };
  const bool known = !m_path.empty() && fstatat(process, m_path.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0;
  if (known && !isNew()) return false;
  if (UniqueFd file = open(process)) m_file = std::move(file);
  if (!m_file || fstat(m_file.get(), &now) != 0 || !isNew()) return false;
  const Seen seen{now.st_ino, static_cast<std::uint64_t>(now.st_size), nanoseconds(now.st_mtim)};
  const Seen before = std::exchange(m_seen, seen);
  if (!goesOn(before)) begin();
  return true;
}

// Keeps the names read so far for earlier faults.
void JitNames::begin() {
  const bool first = m_read == 0 && !m_map.since;
  if (m_read > 0) m_before = std::exchange(m_map, {});
  m_read = 0;
  m_first.clear();
  m_last.clear();
  const Nanoseconds offset = readClock(CLOCK_REALTIME) - readClock(CLOCK_MONOTONIC);
  const auto born = first ? birth(m_file.get()) : std::optional(m_seen.written);
  if (born) m_map.since = MonotonicTime{*born - offset};
}

void JitNames::readMore(int process) {
  if (m_spent >= kMostBytes || !changes(process)) return;
  while (m_read < m_seen.size && m_spent < kMostBytes) {
    const std::size_t wanted = std::min<std::uint64_t>(kAtOnce, m_seen.size - m_read);
    const std::string text = readAt(m_file.get(), m_read, wanted);
    m_spent += text.size();
    std::size_t used = m_map.names.add(text);
    if (used == 0 && text.size() < kAtOnce) return;  // a line without its end
    if (used == 0) used = text.size();
    if (m_first.size() < kAtOnce) m_first.append(text, 0, std::min(used, kAtOnce - m_first.size()));
    m_read += used;
    m_last = text.substr(used - std::min(used, kKept), std::min(used, kKept));
  }
}

std::string JitNames::trouble() const {
  if (m_spent >= kMostBytes || m_map.names.full())
    return "Names of generated code may be missing: the game has written more of them for perf than this program reads "
           "(64 MB, or a million names).";
  if (m_stale == 0) return {};
  return fmt::format(
      "Names of generated code may be those of later code: {} faults are older than the map that the game has written "
      "for perf.",
      formatCount(m_stale));
}

}  // namespace faultline
