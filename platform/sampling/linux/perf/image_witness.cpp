#include "platform/sampling/linux/perf/image_witness.h"

#include <poll.h>
#include <unistd.h>

namespace faultline {

std::optional<ImageWitness> ImageWitness::open(std::uint32_t pid) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  auto event = PerfEvent::open(attributes, {.thread = static_cast<int>(pid)});
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
