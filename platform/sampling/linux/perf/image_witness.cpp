#include "platform/sampling/linux/perf/image_witness.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace faultline {

// Before Linux 5.13 the event stays at exec(), unless the new program has rights of its own: of that one it is taken
// off.
std::optional<ImageWitness> ImageWitness::open(std::uint32_t pid) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.remove_on_exec = 1;
  auto event = PerfEvent::open(attributes, {.thread = static_cast<int>(pid)});
  attributes.remove_on_exec = 0;
  if (!event && event.error() == EINVAL) event = PerfEvent::open(attributes, {.thread = static_cast<int>(pid)});
  if (!event) return std::nullopt;
  auto ring = PerfRing::map(std::move(*event), static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  if (!ring) return std::nullopt;
  return ImageWitness(std::move(*ring));
}

bool ImageWitness::stands() const {
  pollfd event{.fd = m_ring.event().file(), .events = POLLIN, .revents = 0};
  constexpr timespec kAtOnce{};
  return ppoll(&event, 1, &kAtOnce, nullptr) >= 0 && (event.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

}  // namespace faultline
