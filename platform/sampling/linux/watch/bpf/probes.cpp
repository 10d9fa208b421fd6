#include "platform/sampling/linux/watch/bpf/probes.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "core/watch/collector_end.h"
#include "platform/sampling/linux/watch/bpf/image.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

// Pids are reused only after all others have been used: after four million new processes with systemd's settings.
constexpr Nanoseconds kPlacing = 5s;  // at load 20 the kernel takes more than two now and then
constexpr Nanoseconds kGoingOn = kLongestStandstill;
constexpr std::uint32_t kAtReturn = 1;  // BPF_F_UPROBE_MULTI_RETURN

// link_create of union bpf_attr since Linux 6.6; older headers lack it.
struct LinkCreate {
  std::uint32_t program = 0;
  std::uint32_t target = 0;
  std::uint32_t attachType = 0;
  std::uint32_t flags = 0;
  std::uint64_t path = 0;
  std::uint64_t offsets = 0;
  std::uint64_t referenceCounters = 0;
  std::uint64_t cookies = 0;
  std::uint32_t count = 0;
  std::uint32_t multiFlags = 0;
  std::uint32_t pid = 0;
  std::uint32_t unused = 0;
};

template <class T>
std::uint64_t address(const T* of) {
  return reinterpret_cast<std::uintptr_t>(of);
}

}  // namespace

Unavailable whyNoProbe(const WatchTarget& target) {
  if (target.folder().livingThread() == target.pid()) return {};
  return {.why = "The kernel places probes by a process's first thread, and that of the game has ended", .enable = {}};
}

// Lifts the limit last, because probes may be in place until then.
Probes::~Probes() {
  m_links.clear();
  if (m_limited) static_cast<void>(m_limit(0s));
}

void Probes::goOn() const {
  if (m_limited) static_cast<void>(m_limit(kGoingOn));
}

// The kernel takes a pid, which may belong to another process by then. So the game is checked right before and right
// after: a probe in another process is removed at once, and reports nothing. If this program is stopped in between, the
// standstill limit ends it, and the probe with it.
std::optional<Unavailable> Probes::place(const ProbePrograms& programs, const WatchTarget& target,
                                         const std::vector<ProbeFile>& places, const std::function<bool()>& left) {
  m_limited = static_cast<bool>(m_limit);
  for (std::size_t i = 0; i < places.size() && i < kMostMarks; ++i) {
    const auto limited = m_limited ? m_limit(kPlacing) : Result<void>();
    if (!limited) return Unavailable{.why = limited.error().message, .enable = {}};
    if (left()) return gameHasLeft();
    auto trouble = placeAt(programs, target.pid(), places[i], i);
    if (left()) return gameHasLeft();
    if (trouble) return trouble;
    if (Unavailable why = whyNoProbe(target); !why.why.empty()) return why;
  }
  if (m_limited) static_cast<void>(m_limit(kGoingOn));
  return std::nullopt;
}

std::optional<Unavailable> Probes::placeAt(const ProbePrograms& programs, std::uint32_t pid, const ProbeFile& place,
                                           std::uint64_t index) {
  if (place.calls() != ProbeCalls::Lookups) {
    const std::uint64_t commits = place.calls() == ProbeCalls::SurfaceCommits ? kSurfaceCommits : 0;
    return placeOne(programs.mark, At::Call, pid, place, index | commits);
  }
  if (programs.beginLookup < 0 || programs.endLookup < 0) return std::nullopt;
  if (auto trouble = placeOne(programs.endLookup, At::Return, pid, place, index)) return trouble;
  return placeOne(programs.beginLookup, At::Call, pid, place, index);
}

std::optional<Unavailable> Probes::placeOne(int program, At at, std::uint32_t pid, const ProbeFile& place,
                                            std::uint64_t cookie) {
  const std::string path = place.path();
  const std::uint64_t offset = place.offset();
  LinkCreate link;
  link.program = static_cast<std::uint32_t>(program);
  link.attachType = kTraceUprobeMulti;
  link.path = address(path.c_str());
  link.offsets = address(&offset);
  link.cookies = address(&cookie);
  link.count = 1;
  link.multiFlags = at == At::Return ? kAtReturn : 0;
  link.pid = pid;
  UniqueFd probe(static_cast<int>(syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link)));
  if (!probe && errno == EINVAL)
    return needsLinux(kUprobeMulti, "This kernel cannot place BPF probes in a single process");
  if (!probe) return refusedByKernel("place a probe at " + place.name(), errno);
  m_links.push_back(std::move(probe));
  return std::nullopt;
}

}  // namespace faultline
