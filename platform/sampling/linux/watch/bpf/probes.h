// Probes: breakpoints in the code of one process, at which a BPF program runs. They are removed with this object, and
// at the end of this program in any case.
#pragma once

#include <functional>
#include <vector>

#include "core/base/result.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/standstill.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

inline constexpr std::uint32_t kTraceUprobeMulti = 48;  // BPF_TRACE_UPROBE_MULTI, the program's type of attachment

class Probes {
 public:
  explicit Probes(StandstillLimit limit = {}) : m_limit(std::move(limit)) {}
  ~Probes();
  Probes(const Probes&) = delete;
  Probes& operator=(const Probes&) = delete;

  // Other processes do not hit the probes. `left`: the target has become another program, or has ended.
  [[nodiscard]] std::optional<Unavailable> place(int program, const WatchTarget& target,
                                                 const std::vector<ProbeFile>& places,
                                                 const std::function<bool()>& left);
  // Renews the standstill limit; call it several times per second.
  void goOn() const;

 private:
  [[nodiscard]] std::optional<Unavailable> placeOne(int program, std::uint32_t pid, const ProbeFile& place,
                                                    std::uint64_t cookie);

  StandstillLimit m_limit;
  bool m_limited = false;
  std::vector<UniqueFd> m_links;
};

}  // namespace faultline
