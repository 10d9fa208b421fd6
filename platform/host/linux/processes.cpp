#include "platform/host/processes.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>

#include "core/parse/proc_cgroup.h"
#include "core/parse/proc_stat.h"
#include "core/parse/proc_status.h"
#include "core/text/quantity.h"
#include "platform/system/posix/clock.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {
namespace {

constexpr std::size_t kMostDescendants = 1000;

// /proc/PID/task/TID/children lists the children of each thread (CONFIG_PROC_CHILDREN).
void addChildren(std::uint32_t pid, std::vector<std::uint32_t>& found) {
  std::error_code gone;  // set if the process ends meanwhile
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", pid), gone);
  for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
    std::ifstream children(thread->path() / "children");
    for (std::uint32_t child = 0; found.size() < kMostDescendants && children >> child;) found.push_back(child);
  }
}

// Empty for a process that has ended, or may not be read.
std::string programFileOf(std::uint32_t pid) {
  return ProcessFolder(pid).link("exe");
}

// Of any thread of the process.
std::string pathOf(std::uint32_t pid, const std::string& file) {
  return fmt::format("/proc/{}/{}", pid, ProcessFolder(pid).pathOf(file));
}

constexpr std::size_t kMostCommand = 4096;
constexpr const char* kThisContainer = "this container";

// Then a container's own path looks like the root.
bool seesContainerAlone() {
  constexpr ino_t kInitialControlGroups = 0xEFFFFFFB;  // PROC_CGROUP_INIT_INO, include/linux/proc_ns.h
  struct stat space{};
  return ::stat("/proc/self/ns/cgroup", &space) == 0 && space.st_ino != kInitialControlGroups;
}

std::string readStart(const std::string& path, std::size_t most) {
  std::string text(most, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

// /proc has the start time in ticks, rounded down; a sampler may have added a nanosecond.
bool startedAt(std::uint32_t pid, std::uint64_t startTime) {
  const std::string text = readStart(fmt::format("/proc/{}/stat", pid), kMostCommand);
  const auto stat = parseProcStat(text);
  const auto ticks = static_cast<std::uint64_t>(std::max(::sysconf(_SC_CLK_TCK), 1L));
  const std::uint64_t tick = 1'000'000'000 / ticks;
  return stat && stat->startTicks == startTime / tick;
}

}  // namespace

// Checks the start time last: the pid may have been reused between the reads. The user is read from status: the owner
// of /proc/PID is root for a process that is not dumpable.
std::optional<ProcessIdentity> identifyProcess(std::uint32_t pid, std::uint64_t startTime) {
  std::string command = readStart(pathOf(pid, "cmdline"), kMostCommand);
  const auto status = parseProcStatus(ProcessFolder(pid).readOfProcess("status"));
  if (!status || !startedAt(pid, startTime)) return std::nullopt;
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::ranges::replace(command, '\0', ' ');
  return ProcessIdentity{printableName(command), status->user.real};
}

std::optional<std::string> serviceOfProcess(const ProcessKey& key) {
  static const bool kContainerAlone = seesContainerAlone();
  const std::string group = readStart(fmt::format("/proc/{}/cgroup", key.pid), kMostCommand);
  if (group.empty() || !startedAt(key.pid, key.startTime)) return std::nullopt;
  const std::string service = serviceOf(controlGroupOf(group));
  return service.empty() && kContainerAlone ? kThisContainer : service;
}

std::optional<GroupFaults> faultsOfService(std::uint32_t pid, const std::string& service) {
  const std::string groups = readStart(fmt::format("/proc/{}/cgroup", pid), kMostCommand);
  const std::string_view path = memoryGroupOf(groups);
  if (path.empty() || serviceOf(path) != service) return std::nullopt;
  constexpr std::size_t kMostStat = std::size_t{16} << 10U;
  for (const char* const mount : {"/sys/fs/cgroup/memory", "/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
    if (const auto faults =
            parseMemoryStat(readStart(fmt::format("{}{}/memory.stat", mount, groupOfService(path)), kMostStat)))
      return faults;
  return std::nullopt;
}

std::vector<std::string> commandOf(std::uint32_t pid) {
  constexpr std::size_t kMostWords = std::size_t{128} << 10U;
  const std::string text = readStart(pathOf(pid, "cmdline"), kMostWords);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const std::string program = programFileOf(pid);
  const bool relative = !words.empty() && words.front().find('/') != std::string::npos && words.front().front() != '/';
  if (!program.empty() && relative) words.front() = program;
  return words;
}

std::string userName(std::uint32_t user) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> room{};
  if (::getpwuid_r(user, &entry, room.data(), room.size(), &found) != 0 || found == nullptr)
    return std::to_string(user);
  return printableName(found->pw_name);
}

Nanoseconds upTime() {
  return readClock(CLOCK_BOOTTIME);
}

std::uint32_t ownProcess() {
  return static_cast<std::uint32_t>(getpid());
}

std::string nameProcess(std::uint32_t pid) {
  std::ifstream file(fmt::format("/proc/{}/comm", pid));
  std::string name;
  std::getline(file, name);
  return name.empty() ? std::to_string(pid) : fmt::format("{} ({})", printableName(name), pid);
}

// The owner of /proc/PID is root for a process that is not dumpable.
std::string whyNotWatchable(std::uint32_t pid) {
  struct stat folder{};
  if (::stat(fmt::format("/proc/{}", pid).c_str(), &folder) != 0) return "The process has ended.";
  if (getuid() == 0 || folder.st_uid == getuid()) return {};
  return "The process belongs to another user, or is not dumpable.";
}

bool askToEnd(std::uint32_t /*pid*/) {
  return false;
}

void adoptOrphans() {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

// Faultline's other children are collectors, and copies of itself that read files.
std::vector<std::uint32_t> adoptedProcesses(std::uint32_t started) {
  int adopts = 0;
  std::vector<std::uint32_t> found;
  if (prctl(PR_GET_CHILD_SUBREAPER, &adopts, 0, 0, 0) != 0 || adopts == 0) return found;
  addChildren(ownProcess(), found);
  std::erase_if(found, [&](std::uint32_t pid) {
    const std::string program = programFileOf(pid);
    return pid == started || program.empty() || program == programFileOf(ownProcess()) ||
           program.ends_with("/faultline-collector");
  });
  for (std::size_t next = 0; next < found.size(); ++next) addChildren(found[next], found);
  return found;
}

std::optional<std::uint64_t> memoryKills(const std::filesystem::path& proc) {
  std::ifstream file(proc / "vmstat");
  std::string name;
  for (std::uint64_t value = 0; file >> name >> value;)
    if (name == "oom_kill") return value;
  return std::nullopt;
}

std::vector<std::uint32_t> descendantsOf(std::uint32_t pid) {
  std::vector<std::uint32_t> found;
  addChildren(pid, found);
  for (std::size_t next = 0; next < found.size(); ++next) addChildren(found[next], found);
  return found;
}

}  // namespace faultline
