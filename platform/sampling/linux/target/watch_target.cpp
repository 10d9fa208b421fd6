#include "platform/sampling/linux/target/watch_target.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/parse/proc_stat.h"
#include "platform/sampling/linux/facts/fault_cost.h"
#include "platform/sampling/linux/facts/machine.h"
#include "platform/sampling/linux/facts/privilege.h"

namespace faultline {
namespace {

constexpr std::string_view kOneGame = "This stream has the frames of one game.";
constexpr std::size_t kMostStat = 2048;    // 52 numbers of 20 digits, and a name
constexpr std::size_t kMostWitnesses = 4;  // each takes some of the memory that a user may lock

std::optional<ProcStat> statIn(int file, std::array<char, kMostStat>& buffer) {
  const ssize_t count = pread(file, buffer.data(), buffer.size(), 0);
  return parseProcStat({buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0});
}

bool readsByte(const UniqueFd& file) {
  char byte = 0;
  return pread(file.get(), &byte, 1, 0) == 1;
}

tl::unexpected<Error> noProcess(std::uint32_t pid) {
  return fail("There is no process " + std::to_string(pid) + ".");
}

PidNamespace pidNamespaceIn(int folder, const char* name) {
  struct stat file{};
  if (fstatat(folder, name, &file, 0) != 0) return {};
  return {.device = file.st_dev, .inode = file.st_ino};
}

Result<void> mayWatch(const ProcStatus& status, std::uint32_t pid) {
  if (status.group != pid)
    return fail(std::to_string(pid) + " is a thread of process " + std::to_string(status.group) +
                ". Watch that process.");
  const uid_t own = getuid();
  if (own == 0 || own == status.user.real) return {};
  return fail("Process " + std::to_string(pid) + " belongs to another user. Watch it as that user.");
}

}  // namespace

PidNamespace ownPidNamespace() {
  return pidNamespaceIn(AT_FDCWD, "/proc/self/ns/pid");
}

PidNamespace WatchTarget::pidNamespace() const {
  return pidNamespaceIn(m_folder.get(), "ns/pid");
}

Result<WatchTarget> WatchTarget::open(std::uint32_t pid) {
  WatchTarget target;
  target.m_pid = pid;
  target.m_byRoot = isRoot();
  target.m_process = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0)));
  if (!target.m_process && errno == EINVAL) return fail(std::to_string(pid) + " is a thread, not a process.");
  if (!target.m_process && errno != ESRCH)
    return fail("Process " + std::to_string(pid) + " cannot be opened: " + std::strerror(errno) + ".");
  target.m_folder = ProcessFolder(pid);
  if (!target.m_process || !target.m_folder) return noProcess(pid);

  target.m_stat = target.m_folder.openOfProcess("stat");
  const auto status = parseProcStatus(target.m_folder.readOfProcess("status"));
  if (!status) return noProcess(pid);
  target.m_status = *status;
  if (const auto may = mayWatch(*status, pid); !may) return tl::unexpected(may.error());
  if (const auto held = target.holdProgram(); !held) return tl::unexpected(held.error());
  return target;
}

Result<void> WatchTarget::holdProgram() {
  std::array<char, kMostStat> buffer{};
  const auto stat = statIn(m_stat.get(), buffer);
  if (!stat) return noProcess(m_pid);
  m_name = stat->name;
  m_headless = m_folder.livingThread().value_or(m_pid) != m_pid;
  callWitnesses();
  m_maps = m_folder.open("maps");
  if (m_maps) return {};
  return fail("Process " + std::to_string(m_pid) + " cannot be read: " + std::strerror(errno) +
              ". The process may hold privileges of its own.");
}

// The first thread, or some of those that have outlived it: one of them may end meanwhile.
void WatchTarget::callWitnesses() {
  m_witnesses.clear();
  for (const std::uint32_t thread : m_headless ? m_folder.threads() : std::vector{m_pid}) {
    if (auto witness = ImageWitness::open(thread)) m_witnesses.push_back(std::move(*witness));
    if (m_witnesses.size() == kMostWitnesses) return;
  }
}

bool WatchTarget::exited() const {
  pollfd process{.fd = m_process.get(), .events = POLLIN, .revents = 0};
  constexpr timespec kAtOnce{};
  return ppoll(&process, 1, &kAtOnce, nullptr) > 0;
}

// Opens the list again, because an open file is read with the rights at its opening.
bool WatchTarget::letsLook() const {
  const WithheldCapabilities withheld;
  return (m_byRoot || (withheld && m_folder.readMaps(1).value_or("").size() == 1)) && !exited();
}

std::string WatchTarget::nameNow() const {
  std::array<char, kMostStat> buffer{};
  const auto stat = statIn(m_stat.get(), buffer);
  return stat ? std::string(stat->name) : m_name;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> WatchTarget::faults() const {
  std::array<char, kMostStat> buffer{};
  const auto stat = statIn(m_stat.get(), buffer);
  return stat ? std::optional(std::pair(stat->minorFaults, stat->majorFaults)) : std::nullopt;
}

// A list of mappings that was opened before exec() becomes empty at exec(), and also shortly before the process ends.
// Only in the second case has the process no memory. Without a first thread the list ends with the thread through which
// it was opened, and the process has no memory either, by /proc/PID/stat: exec() gives it a first thread again.
GameState WatchTarget::state() const {
  if (exited()) return GameState::Exited;
  if (!m_headless && readsByte(m_maps)) return GameState::Running;
  std::array<char, kMostStat> buffer{};
  const auto stat = statIn(m_stat.get(), buffer);
  return stat && stat->virtualBytes > 0 ? GameState::ProgramLeft : GameState::Running;
}

Hello watchHello(const WatchTarget& target, Nanoseconds interval) {
  Hello hello;
  hello.source = "watch";
  hello.clock = "CLOCK_MONOTONIC";
  hello.interval = interval;
  if (const auto files = makeProcFiles("/proc")) hello.machine = readMachine(**files);
  for (Quality& quality : hello.process) quality.how = kOneGame;
  for (Quality& quality : hello.system) quality.how = kOneGame;
  hello.watched.emplace();
  hello.watched->pid = target.pid();
  hello.watched->name = target.name();
  hello.watched->nsPerFault = measureFaultCost();
  return hello;
}

}  // namespace faultline
