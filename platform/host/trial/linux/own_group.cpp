#include "platform/host/trial/linux/own_group.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <vector>

#include "core/base/file_text.h"
#include "core/parse/memory_stat.h"
#include "core/parse/number.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/wait.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr std::string_view kName = "faultline-";  // then the pid of its maker

std::string textOfFile(const std::filesystem::path& path) {
  return fileText(path).value_or("");
}

bool hasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || text[end] == ' ' || text[end] == '\n')) return true;
  }
  return false;
}

// A group in another place has none of these limits.
bool isLimited(const std::filesystem::path& group) {
  for (const char* const name : {"memory.max", "memory.high", "memory.swap.max", "cpu.max"}) {
    const std::string limit = textOfFile(group / name);
    if (!limit.empty() && !limit.starts_with("max")) return true;
  }
  return false;
}

bool mayHaveGroups(const std::filesystem::path& group) {
  return hasWord(textOfFile(group / "cgroup.subtree_control"), "memory") && access(group.c_str(), W_OK | X_OK) == 0 &&
         access((group / "cgroup.procs").c_str(), W_OK) == 0;
}

// systemd marks the root of a tree that it has handed over, and gives that of a user to the user.
bool isHandedOver(std::filesystem::path group, const std::filesystem::path& mount) {
  struct stat status{};
  if (stat(group.c_str(), &status) == 0 && status.st_uid != 0) return true;
  for (; group != mount && group.has_relative_path(); group = group.parent_path())
    for (const char* const name : {"user.delegate", "trusted.delegate"})
      if (char value = 0; getxattr(group.c_str(), name, &value, 1) == 1 && value == '1') return true;
  return false;
}

// A group whose processes live cannot be removed.
void removeLeftOver(const std::filesystem::path& parent) {
  std::error_code error;
  std::filesystem::directory_iterator entry(parent, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t maker = 0;
    if (!name.starts_with(kName)) continue;
    std::from_chars(name.data() + kName.size(), name.data() + name.size(), maker);
    if (maker > 0 && access(("/proc/" + std::to_string(maker)).c_str(), F_OK) != 0) rmdir(entry->path().c_str());
  }
}

std::uint64_t ownFaults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt);
}

// The kernel adds up what its processors have counted once that is more than 64 events for each (mm/memcontrol.c,
// MEMCG_CHARGE_BATCH), of which each processor may keep 64 to itself.
void causeSum() {
  const auto processors = static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_CONF));
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = 128 * (processors + 1) * page;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < bytes; at += page) static_cast<volatile char*>(memory)[at] = 1;
  munmap(memory, bytes);
}

}  // namespace

Result<OwnGroup> OwnGroup::create(const std::filesystem::path& mount, std::string_view own, bool managed) {
  constexpr std::string_view kUnified = "0::/";
  while (const auto line = takeLine(own)) {
    if (!line->starts_with(kUnified)) continue;
    std::filesystem::path group = mount / line->substr(kUnified.size());
    if (!group.has_filename()) group = group.parent_path();
    for (;; group = group.parent_path()) {
      if (mayHaveGroups(group)) break;
      if (isLimited(group)) return fail("the control group of this process has limits that another would not have");
      if (group == mount || !group.has_relative_path())
        return fail("this user may make no control group that counts memory");
    }
    if (managed && !isHandedOver(group, mount)) return fail("systemd makes the control groups here");
    removeLeftOver(group);
    group /= std::string(kName) + std::to_string(getpid());
    if (mkdir(group.c_str(), 0755) != 0 && errno != EEXIST) return fail("no control group could be made");
    UniqueFd processes(::open((group / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    if (!processes) {
      rmdir(group.c_str());
      return fail("the control group of the run cannot be entered");
    }
    return OwnGroup(std::move(group), std::move(processes));
  }
  return fail("this system has no control groups of version 2");
}

Result<OwnGroup> OwnGroup::create() {
  std::filesystem::path mount = "/sys/fs/cgroup";
  if (access((mount / "cgroup.controllers").c_str(), F_OK) != 0) mount /= "unified";
  return create(mount, textOfFile("/proc/self/cgroup"), access("/run/systemd/system", F_OK) == 0);
}

OwnGroup::~OwnGroup() {
  if (!m_processes) return;
  constexpr int kTries = 100;
  for (int i = 0; i < kTries && rmdir(m_path.c_str()) != 0 && errno == EBUSY; ++i) {
    std::ofstream(m_path / "cgroup.kill") << "1\n";
    static_cast<void>(waitAny({}, 10ms));
  }
}

bool OwnGroup::enter() const {
  return write(m_processes.get(), "0", 1) == 1;
}

std::optional<GroupCounts> OwnGroup::count() const {
  const std::string peak = textOfFile(m_path / "memory.peak");
  const UniqueFd stat(::open((m_path / "memory.stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::vector<std::byte> buffer(1U << 16U);  // touched before the faults are counted
  const std::uint64_t before = ownFaults();
  if (!stat || !enter()) return std::nullopt;
  causeSum();
  const ssize_t got = readSome(stat.get(), buffer);
  const std::uint64_t own = ownFaults() - before;
  const auto faults = parseMemoryStat(
      {reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
  if (!faults || faults->all < own) return std::nullopt;
  GroupCounts counts{.faults = faults->all - own, .majorFaults = faults->major};
  std::from_chars(peak.data(), peak.data() + peak.size(), counts.peakBytes);
  return counts;
}

void OwnGroup::remove() const {
  rmdir(m_path.c_str());
}

}  // namespace faultline
