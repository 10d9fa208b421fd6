#include "core/spikes/empty_list_spikes.h"

#include <utility>

namespace faultline {

namespace {
constexpr Nanoseconds kFilled = std::chrono::seconds(1);
}

std::optional<Spike> EmptyListSpikes::add(const Moment& moment, const SpikeOptions& options, std::uint64_t& lastId) {
  const auto left = moment.system.get(SystemMetric::ZeroedListBytes);
  const bool wasEmpty = std::exchange(m_empty, left && *left <= kEmptyZeroedList);
  if (!left || moment.gap == Gap::First || moment.gap == Gap::Suspended) return close();
  if (!m_empty) return m_spike && moment.time - m_spike->end >= kFilled ? close() : std::nullopt;
  if (!m_spike) {
    m_spike.emplace();
    m_spike->of = SpikeOf::ZeroedList;
    m_spike->name = "zeroed list";
    m_spike->metric = ProcessMetric::MinorFaults;
    m_spike->start = m_spike->peakTime = moment.time;
    m_spike->wallStart = moment.wallTime;
  }
  Spike& spike = *m_spike;
  spike.end = moment.time;
  const auto asked = moment.systemDeltas.get(SystemMetric::DemandZeroFaults);
  if (!wasEmpty || !asked) return std::nullopt;
  spike.faults += *asked;
  if (const auto rate = moment.perSecond(asked); rate && *rate > spike.peakPerSecond) {
    spike.peakPerSecond = *rate;
    spike.peakTime = moment.time;
  }
  if (spike.faults < options.leastFaults) return std::nullopt;
  if (spike.id == 0) spike.id = ++lastId;
  return spike;
}

std::optional<Spike> EmptyListSpikes::close() {
  std::optional<Spike> ended = std::exchange(m_spike, std::nullopt);
  if (!ended || ended->id == 0) return std::nullopt;
  ended->open = false;
  return ended;
}

}  // namespace faultline
