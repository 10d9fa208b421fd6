#include "platform/sampling/linux/perf/event.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cerrno>

namespace faultline {

Result<PerfEvent, int> PerfEvent::open(perf_event_attr attributes, PerfScope scope) {
  attributes.size = sizeof attributes;
  UniqueFd file(static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, scope.thread, scope.processor, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!file) return tl::unexpected(errno);
  return PerfEvent(std::move(file));
}

int PerfEvent::writeInto(const PerfEvent& other) const {
  return ioctl(file(), PERF_EVENT_IOC_SET_OUTPUT, other.file()) == 0 ? 0 : errno;
}

int PerfEvent::run(int program) const {
  return ioctl(file(), PERF_EVENT_IOC_SET_BPF, program) == 0 ? 0 : errno;
}

// Ignores errors: enabling fails only for a processor that is offline, which has no events.
void PerfEvent::enable(bool on) const {
  ioctl(file(), on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

std::uint64_t PerfEvent::id() const {
  std::uint64_t id = 0;
  return ioctl(file(), PERF_EVENT_IOC_ID, &id) == 0 ? id : 0;
}

}  // namespace faultline
