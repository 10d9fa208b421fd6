#include "platform/host/linux/symbols/jit_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/parse/proc_status.h"

namespace faultline {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;  // of a file

std::string readStart(int file) {
  std::string text(4096, '\0');
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

// Only a file of the process's user, because others can write into /tmp, too.
UniqueFd openMap(int process) {
  const UniqueFd text(openat(process, "status", O_RDONLY | O_CLOEXEC));
  struct stat owner{};
  if (!text || fstat(text.get(), &owner) != 0) return {};
  const auto status = parseProcStatus(readStart(text.get()));
  if (!status) return {};
  const std::string path = fmt::format("root/tmp/perf-{}.map", status->innerPid);
  UniqueFd file(openat(process, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  struct stat found{};
  const bool good = file && fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == owner.st_uid;
  return good ? std::move(file) : UniqueFd();
}

}  // namespace

std::string_view JitNames::at(int process, std::uint64_t address) {
  if (m_map.at(address).empty()) readMore(process);
  return m_map.at(address);
}

void JitNames::readMore(int process) {
  if (!m_file) m_file = openMap(process);
  struct stat status{};
  if (!m_file || fstat(m_file.get(), &status) != 0) return;
  const std::uint64_t size = std::min<std::uint64_t>(static_cast<std::uint64_t>(status.st_size), kMostBytes);
  if (size <= m_read) return;
  std::string text(size - m_read, '\0');
  const ssize_t got = pread(m_file.get(), text.data(), text.size(), static_cast<off_t>(m_read));
  if (got > 0) m_read += m_map.add(std::string_view(text).substr(0, static_cast<std::size_t>(got)));
}

}  // namespace faultline
