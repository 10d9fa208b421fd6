#include "platform/sampling/linux/facts/refusal.h"

#include <linux/capability.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "platform/sampling/linux/facts/privilege.h"

namespace faultline {
namespace {

constexpr int kOpenToAll = 2;  // the highest level of kernel.perf_event_paranoid at which cap_perfmon counts everywhere

bool isRefusal(int error) {
  return error == EPERM || error == EACCES;
}

std::string linuxOf(int version) {
  return "Linux " + std::to_string(version / 1000) + "." + std::to_string(version % 1000);
}

// "none [integrity] confidentiality": the word in brackets is in effect.
std::string readLockdown() {
  std::string all;
  std::ifstream file("/sys/kernel/security/lockdown");
  std::getline(file, all);
  const std::size_t begin = all.find('[');
  const std::size_t end = all.find(']');
  return begin < end && end != std::string::npos ? all.substr(begin + 1, end - begin - 1) : std::string();
}

// The first user namespace maps all ids to themselves (user_namespaces(7)).
bool isInUserNamespace() {
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  std::uint64_t count = 0;
  std::ifstream map("/proc/self/uid_map");
  return map >> inside >> outside >> count && (inside != outside || count != UINT32_MAX);
}

std::string missing(const KernelGrounds& grounds) {
  if (grounds.admin || (grounds.bpf && grounds.perfmon)) return {};
  if (!grounds.bpf && !grounds.perfmon) return "cap_bpf and cap_perfmon are missing";
  return grounds.bpf ? "cap_perfmon is missing" : "cap_bpf is missing";
}

bool locked(const KernelGrounds& grounds) {
  return grounds.lockdown == "confidentiality";
}

Unavailable lockedDown(std::string why) {
  return {.why = std::move(why) + ": it is locked down for every program (lockdown=confidentiality)",
          .enable = "Start the machine with lockdown=integrity, or without lockdown."};
}

}  // namespace

KernelGrounds KernelGrounds::read() {
  KernelGrounds grounds;
  const auto held = permittedCapabilities();
  const auto holds = [&](unsigned capability) { return held && ((*held >> capability) & 1U) != 0; };
  grounds.bpf = holds(CAP_BPF);
  grounds.perfmon = holds(CAP_PERFMON);
  grounds.admin = holds(CAP_SYS_ADMIN);
  if (int level = 0; std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level) grounds.paranoid = level;
  grounds.lockdown = readLockdown();
  grounds.inUserNamespace = isInUserNamespace();
  utsname names{};
  int major = 0;
  int minor = 0;
  if (uname(&names) == 0 && std::sscanf(names.release, "%d.%d", &major, &minor) == 2)
    grounds.version = major * 1000 + minor;
  return grounds;
}

Unavailable refusedByKernel(const std::string& what, int error, int needs) {
  return refusedByKernel(what, error, needs, KernelGrounds::read());
}

Unavailable refusedByKernel(const std::string& what, int error, int needs, const KernelGrounds& grounds) {
  const std::string why = "The kernel does not " + what + ": " + std::strerror(error);
  if (grounds.version != 0 && grounds.version < needs)
    return needsLinux(needs, why + ", and " + linuxOf(grounds.version) + " cannot");
  if (const std::string lacking = missing(grounds); isRefusal(error) && !lacking.empty())
    return {.why = why + " (" + lacking + ")",
            .enable = "A one-time permission for the collector (cap_perfmon and cap_bpf)."};
  if (locked(grounds) && (isRefusal(error) || error == EINVAL)) return lockedDown("The kernel does not " + what);
  if (error == EMFILE) return {.why = why, .enable = "A higher limit of open files (ulimit -n)."};
  if (!isRefusal(error)) return {.why = why, .enable = {}};
  const std::string held = why + ", although the collector has cap_bpf and cap_perfmon: ";
  if (grounds.inUserNamespace)
    return {.why = held + "they have no effect in a user namespace", .enable = "A collector outside of containers."};
  return {.why = held + "this kernel, or a security module, forbids such programs", .enable = {}};
}

Unavailable refusedEvent(const std::string& what, int error, EventOf of) {
  return refusedEvent(what, error, of, KernelGrounds::read());
}

// Kernels of Debian and Ubuntu have levels above 2, at which only CAP_SYS_ADMIN may open events.
Unavailable refusedEvent(const std::string& what, int error, EventOf of, const KernelGrounds& grounds) {
  Unavailable reason{.why = "The kernel does not " + what + " by perf events: ", .enable = {}};
  const bool lacking = !grounds.perfmon && !grounds.admin;
  if (!isRefusal(error)) {
    reason.why += std::strerror(error);
  } else if (grounds.paranoid > kOpenToAll && !grounds.admin) {
    if (lacking) reason.why += "cap_perfmon is missing, and ";
    reason.why += "kernel.perf_event_paranoid is " + std::to_string(grounds.paranoid) +
                  ", which closes them to programs without cap_sys_admin";
    reason.enable = kOpenEvents;
    if (lacking && of == EventOf::All) reason.enable += " And a collector with cap_perfmon.";
  } else if (lacking) {
    reason.why += "cap_perfmon is missing";
    reason.enable = "A collector with cap_perfmon.";
  } else if (locked(grounds)) {
    return lockedDown("The kernel does not " + what + " by perf events");
  } else {
    reason.why +=
        std::string(std::strerror(error)) + ", although the collector has cap_perfmon: a container may forbid it";
    reason.enable = "A collector outside of containers.";
  }
  return reason;
}

Unavailable noTracepoint(const char* name) {
  return {.why = std::string("This kernel has no tracepoint ") + name, .enable = {}};
}

Unavailable needsLinux(int version, const std::string& why) {
  return {.why = why, .enable = linuxOf(version) + " or later."};
}

}  // namespace faultline
