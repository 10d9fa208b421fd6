#include "platform/linux/bpf_obstacle_linux.h"

#include <linux/capability.h>

#include <cerrno>
#include <cstring>

#include "platform/linux/privilege_linux.h"

namespace faultline {
namespace {

bool lacks(unsigned capability) {
  const auto permitted = permittedCapabilities();
  return permitted && ((*permitted >> capability) & 1U) == 0;
}

}  // namespace

Obstacle refusedByKernel(const std::string& what, int error) {
  Obstacle obstacle{.why = "The kernel does not " + what + ": " + std::strerror(error), .enable = {}};
  if (error != EPERM && error != EACCES) return obstacle;
  const bool bpf = lacks(CAP_BPF) && lacks(CAP_SYS_ADMIN);
  const bool perfmon = lacks(CAP_PERFMON) && lacks(CAP_SYS_ADMIN);
  if (bpf) obstacle.why += perfmon ? " (cap_bpf and cap_perfmon are missing)" : " (cap_bpf is missing)";
  else if (perfmon) obstacle.why += " (cap_perfmon is missing)";
  if (bpf || perfmon) {
    obstacle.enable = "A collector that may load BPF programs (cap_perfmon and cap_bpf).";
  } else {
    obstacle.why +=
        ", though cap_bpf and cap_perfmon are held: in a user namespace they do not count, and a kernel that "
        "is locked down forbids it";
    obstacle.enable = "A collector outside of containers, on a kernel that is not locked down.";
  }
  return obstacle;
}

Obstacle noTracepoint(const char* name) {
  return {.why = std::string("This kernel has no tracepoint ") + name, .enable = {}};
}

}  // namespace faultline
