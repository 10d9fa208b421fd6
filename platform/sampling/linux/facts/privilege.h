// For lockdown.h on Linux: user and capabilities of this thread (capabilities(7)), by system calls. A bit per
// capability.
#pragma once

#include <cstdint>

#include "core/base/result.h"

namespace faultline {

// All useful capabilities: for BPF programs, perf events, and addresses in /proc/kallsyms.
[[nodiscard]] std::uint64_t measuringCapabilities();

[[nodiscard]] bool isRoot();
// Root becomes nobody and keeps its permitted capabilities; none is in effect afterwards.
[[nodiscard]] Result<void> becomeNobody();
// Keeps programs that this program might start from gaining capabilities. Needs CAP_SETPCAP; without it, no effect.
void emptyBoundingSet();

[[nodiscard]] Result<std::uint64_t> permittedCapabilities();
// Also drops inheritable and ambient capabilities.
[[nodiscard]] Result<void> setCapabilities(std::uint64_t effective, std::uint64_t permitted);

// During its lifetime, no capability of this thread is in effect.
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
