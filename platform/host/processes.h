// Processes: name, user, command line and descendants.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/snapshot.h"
#include "core/parse/memory_stat.h"

namespace faultline {

[[nodiscard]] std::uint32_t ownProcess();  // pid of this process
[[nodiscard]] Nanoseconds upTime();        // since the machine started, also while it slept

[[nodiscard]] std::string nameProcess(std::uint32_t pid);  // "game (4711)", printable; "4711" if the name is not known

// Why this user may not watch the process, as a sentence; empty if the user may.
[[nodiscard]] std::string whyNotWatchable(std::uint32_t pid);

struct ProcessIdentity {
  std::string command;     // with arguments, printable, cut to 4 KiB; empty for a kernel thread
  std::uint32_t user = 0;  // the real uid
};
// `startTime` is that of ProcessKey. Absent if the pid now belongs to another process, and on Windows.
[[nodiscard]] std::optional<ProcessIdentity> identifyProcess(std::uint32_t pid, std::uint64_t startTime);
// Its systemd unit or container, see core/parse/proc_cgroup.h; empty: it is in none; "this container" for
// processes outside of all units of the container that this program itself runs in. Absent as above. On Windows the
// services that the process hosts, "Dhcp, EventLog", as of the last second; kAsItsParent if it hosts none.
[[nodiscard]] std::optional<std::string> serviceOfProcess(const ProcessKey& key);
// What the kernel has counted for the control group of the service, which this process is in. Absent if the group has
// no memory controller, if its path names another service, and on Windows.
[[nodiscard]] std::optional<GroupFaults> faultsOfService(std::uint32_t pid, const std::string& service);
// The words that started the process, as they are; a relative program becomes its absolute path. Empty if they cannot
// be read, for a kernel thread, and on Windows.
[[nodiscard]] std::vector<std::string> commandOf(std::uint32_t pid);
[[nodiscard]] std::string userName(std::uint32_t user);  // the number if the user has no name

// Breadth first, at most 1000 on Linux. Descendants whose parent has ended are not included.
[[nodiscard]] std::vector<std::uint32_t> descendantsOf(std::uint32_t pid);

// Asks a collector to end, which on Windows must itself end what it has started (a trace of frames). False: there is
// nothing to ask, and it can be killed, as on Linux, whose kernel ends all that a collector holds.
[[nodiscard]] bool askToEnd(std::uint32_t pid);

// From now on a descendant whose parent has ended becomes a child of this process (Linux; nothing on Windows), such as
// a game that its launcher starts as a daemon.
void adoptOrphans();
// The processes adopted so, and their descendants; without `started`, a program that this process has started itself.
[[nodiscard]] std::vector<std::uint32_t> adoptedProcesses(std::uint32_t started);

// Processes that the system has ended because memory was short, on the whole machine or in a control group, since its
// start. Absent where the system does not count them.
[[nodiscard]] std::optional<std::uint64_t> memoryKills(const std::filesystem::path& proc = "/proc");

}  // namespace faultline
