// The Linux side of platform/sampling/lockdown.h: this thread's user and capabilities (capabilities(7)), by the
// kernel's own calls. A bit per capability.
#pragma once

#include <cstdint>

#include "core/base/result.h"

namespace faultline {

// All that can ever be of use: BPF programs, perf events, and addresses in /proc/kallsyms.
[[nodiscard]] std::uint64_t measuringCapabilities();

[[nodiscard]] bool isRoot();
// Root becomes nobody and keeps its permitted capabilities, of which none is in effect then.
[[nodiscard]] Result<void> becomeNobody();
// Takes from whatever this program might start all ways to capabilities, as far as it may: it takes CAP_SETPCAP.
void emptyBoundingSet();

[[nodiscard]] Result<std::uint64_t> permittedCapabilities();
// Inheritable and ambient ones are gone, too.
[[nodiscard]] Result<void> setCapabilities(std::uint64_t effective, std::uint64_t permitted);

// As long as it lives, no capability of this thread is in effect.
class WithheldCapabilities {
 public:
  WithheldCapabilities();
  ~WithheldCapabilities();
  WithheldCapabilities(const WithheldCapabilities&) = delete;
  WithheldCapabilities& operator=(const WithheldCapabilities&) = delete;
  explicit operator bool() const { return m_withheld; }

 private:
  std::uint64_t m_effective = 0;
  std::uint64_t m_permitted = 0;
  bool m_withheld = false;
};

}  // namespace faultline
