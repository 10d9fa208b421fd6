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

// Descriptors of BPF programs; the last two, if any, for places that are lookups, at their calls and their returns.
struct ProbePrograms {
  int mark = -1;
  int beginLookup = -1;
  int endLookup = -1;
};

// Empty if probes can be placed in the target: the kernel compares the memory of its first thread with that in which a
// file is mapped.
[[nodiscard]] Unavailable whyNoProbe(const WatchTarget& target);

class Probes {
 public:
  explicit Probes(StandstillLimit limit = {}) : m_limit(std::move(limit)) {}
  ~Probes();
  Probes(const Probes&) = delete;
  Probes& operator=(const Probes&) = delete;

  // Other processes do not hit the probes. `left`: the target has become another program, or has ended.
  [[nodiscard]] std::optional<Unavailable> place(const ProbePrograms& programs, const WatchTarget& target,
                                                 const std::vector<ProbeFile>& places,
                                                 const std::function<bool()>& left);
  // Renews the standstill limit; call it several times per second.
  void goOn() const;

 private:
  enum class At : std::uint8_t { Call, Return };
  [[nodiscard]] std::optional<Unavailable> placeAt(const ProbePrograms& programs, std::uint32_t pid,
                                                   const ProbeFile& place, std::uint64_t index);
  [[nodiscard]] std::optional<Unavailable> placeOne(int program, At at, std::uint32_t pid, const ProbeFile& place,
                                                    std::uint64_t cookie);

  StandstillLimit m_limit;
  bool m_limited = false;
  std::vector<UniqueFd> m_links;
};

}  // namespace faultline
