#include "platform/sampling/linux/bpf/durations.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

static_assert(kDurationBuckets == FaultDurations::kBuckets);
static_assert(FaultDurations::upper(0) == 1U << kShortestDuration);

bpf_map* mapOf(const BpfObject& object) {
  return bpf_object__find_map_by_name(object.get(), "durations");
}

}  // namespace

// Linux numbers the possible processors without gaps.
void ProcessorDurations::makeRoom(const BpfObject& object) {
  bpf_map__set_max_entries(mapOf(object), static_cast<std::uint32_t>(std::max(libbpf_num_possible_cpus(), 1)));
}

ProcessorDurations::ProcessorDurations(const BpfObject& object) {
  const bpf_map* const map = mapOf(object);
  const std::size_t processors = bpf_map__max_entries(map);
  void* const memory = mmap(nullptr, processors * sizeof(DurationCounts), PROT_READ, MAP_SHARED, bpf_map__fd(map), 0);
  if (memory != MAP_FAILED) m_counts = {static_cast<const DurationCounts*>(memory), processors};
}

ProcessorDurations::~ProcessorDurations() {
  if (!m_counts.empty()) munmap(const_cast<DurationCounts*>(m_counts.data()), m_counts.size_bytes());
}

ProcessorDurations::ProcessorDurations(ProcessorDurations&& other) noexcept
    : m_counts(std::exchange(other.m_counts, {})) {}

ProcessorDurations& ProcessorDurations::operator=(ProcessorDurations&& other) noexcept {
  std::swap(m_counts, other.m_counts);
  return *this;
}

std::optional<FaultDurations> ProcessorDurations::read() const {
  if (m_counts.empty()) return std::nullopt;
  FaultDurations sum;
  const auto add = [](std::uint64_t& to, const unsigned long long& count) {
    to += __atomic_load_n(&count, __ATOMIC_RELAXED);
  };
  for (const DurationCounts& counts : m_counts) {
    add(sum.ns, counts.time);
    for (std::size_t i = 0; i < FaultDurations::kBuckets; ++i) add(sum.faults[i], counts.faults[i]);
  }
  return sum;
}

}  // namespace faultline
