#include "platform/sampling/linux/facts/privilege.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

namespace faultline {
namespace {

constexpr uid_t kNobody = 65534;  // by convention, and the kernel's overflowuid
constexpr unsigned kMostCapabilities = 64;

constexpr std::uint64_t bit(unsigned capability) {
  return std::uint64_t{1} << capability;
}

using Halves = std::array<__user_cap_data_struct, 2>;  // low and high 32 capabilities

__user_cap_header_struct thisThread() {
  return {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
}

std::string reason() {
  return std::string(": ") + std::strerror(errno) + ".";
}

struct Capabilities {
  std::uint64_t effective;
  std::uint64_t permitted;
};

Result<Capabilities> ownCapabilities() {
  auto header = thisThread();
  Halves halves{};
  if (syscall(SYS_capget, &header, halves.data()) != 0)
    return fail("Cannot read the capabilities of this program" + reason());
  return Capabilities{.effective = halves[0].effective | (std::uint64_t{halves[1].effective} << 32U),
                      .permitted = halves[0].permitted | (std::uint64_t{halves[1].permitted} << 32U)};
}

}  // namespace

std::uint64_t measuringCapabilities() {
  return bit(CAP_BPF) | bit(CAP_PERFMON) | bit(CAP_SYSLOG);
}

bool isRoot() {
  return geteuid() == 0;
}

// A user namespace may lack nobody, or forbid these calls; the capabilities are dropped in any case.
Result<void> becomeNobody() {
  const auto refused = [](int result) { return result != 0 && errno != EINVAL && errno != EPERM; };
  if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) return fail("Cannot keep capabilities as nobody" + reason());
  if (refused(setgroups(0, nullptr)) || refused(setresgid(kNobody, kNobody, kNobody)) ||
      refused(setresuid(kNobody, kNobody, kNobody)))
    return fail("Cannot become nobody" + reason());
  return {};
}

void emptyBoundingSet() {
  for (unsigned capability = 0; capability < kMostCapabilities; ++capability)
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) return;  // not allowed, or beyond the last capability
}

Result<std::uint64_t> permittedCapabilities() {
  const auto own = ownCapabilities();
  if (!own) return tl::unexpected(own.error());
  return own->permitted;
}

Result<void> setCapabilities(std::uint64_t effective, std::uint64_t permitted) {
  const auto half = [&](unsigned shift) {
    return __user_cap_data_struct{.effective = static_cast<__u32>(effective >> shift),
                                  .permitted = static_cast<__u32>(permitted >> shift),
                                  .inheritable = 0};
  };
  auto header = thisThread();
  const Halves halves{half(0), half(32)};
  if (syscall(SYS_capset, &header, halves.data()) != 0) return fail("Cannot drop capabilities" + reason());
  return {};
}

WithheldCapabilities::WithheldCapabilities() {
  const auto own = ownCapabilities();
  if (!own) return;
  m_effective = own->effective;
  m_permitted = own->permitted;
  m_withheld = setCapabilities(0, m_permitted).has_value();
}

WithheldCapabilities::~WithheldCapabilities() {
  if (m_withheld) static_cast<void>(setCapabilities(m_effective, m_permitted));
}

}  // namespace faultline
