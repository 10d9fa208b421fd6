#include "platform/sampling/lockdown.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/sampling/linux/confine/landlock.h"
#include "platform/sampling/linux/confine/seccomp.h"
#include "platform/sampling/linux/facts/privilege.h"
#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/system/posix/standard_streams.h"

namespace faultline {
void occupyStandardStreams() {
  occupyClosedStreams();
}

// Fails early: a program that runs out of files later measures less, for reasons that are hard to understand.
Result<void> makeRoomForFiles() {
  close_range(STDERR_FILENO + 1, ~0U, 0);
  const auto processors = static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_CONF));
  const std::size_t needed = 64 + 8 * processors;
  const std::size_t allowed = raiseFileLimit();
  if (allowed >= needed) return {};
  return fail("This program may open " + std::to_string(allowed) + " files at once, and needs " +
              std::to_string(needed) + ". Raise the limit (ulimit -n).");
}

Result<void> withholdPrivileges() {
  if (isRoot()) return {};
  const auto permitted = permittedCapabilities();
  if (!permitted) return tl::unexpected(permitted.error());
  return setCapabilities(0, *permitted & measuringCapabilities());
}

Result<void> keepMeasuringPrivileges() {
  emptyBoundingSet();
  if (isRoot()) {
    if (const auto became = becomeNobody(); !became) return became;
  }
  const auto permitted = permittedCapabilities();
  if (!permitted) return tl::unexpected(permitted.error());
  const std::uint64_t kept = *permitted & measuringCapabilities();
  return setCapabilities(kept, kept);
}

Result<void> lockDown(Sampler& sampler) {
  const auto permitted = permittedCapabilities();
  if (!permitted) return tl::unexpected(permitted.error());
  if (const auto out = setCapabilities(0, *permitted); !out) return out;
  return lockDown(sampler.needs());
}

// Keeps CAP_BPF if needed: kernels before 5.19 demand it for each new iterator where BPF is closed to ordinary
// programs.
Result<void> lockDown(const SamplerNeeds& needs) {
  const auto permitted = permittedCapabilities();
  if (!permitted) return tl::unexpected(permitted.error());
  const std::uint64_t kept = needs.privileges ? *permitted & (std::uint64_t{1} << CAP_BPF) : 0;
  if (const auto dropped = setCapabilities(kept, kept); !dropped) return dropped;
  // Without CAP_SETPCAP (file capabilities do not give it) the bounding set may still be full, but grants nothing
  // without new privileges through exec.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return fail(std::string("Cannot renounce new privileges: ") + std::strerror(errno) + ".");
  // Two more restrictions, if build and kernel have them; no privilege is left in any case.
  restrictFilesToProc();
  restrictSystemCalls(needs.opensIn);
  return {};
}

}  // namespace faultline
