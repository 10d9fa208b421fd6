#include "core/spikes/zeroing_thread_spikes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/history/background_zeroing.h"
#include "core/spikes/bin.h"
#include "core/spikes/rule.h"

namespace faultline {
namespace {

constexpr std::uint32_t kSystemProcess = 4;
constexpr Nanoseconds kShortestBin = std::chrono::milliseconds(500);  // ticks of 15.6 ms are coarse in less
constexpr Nanoseconds kQuietThreads = std::chrono::seconds(1);
// Pages that are given back lie on the free list until the threads run, which have the lowest priority.
constexpr Nanoseconds kFreedBefore = std::chrono::seconds(3);

ProcessKey systemProcess(const Moment& moment) {
  const auto after = std::ranges::lower_bound(moment.rows, ProcessKey{kSystemProcess, 0}, {}, &ProcessRow::key);
  return after != moment.rows.end() && after->key.pid == kSystemProcess ? after->key : ProcessKey{};
}

}  // namespace

std::optional<Spike> ZeroingThreadSpikes::add(const Moment& moment, const SpikeOptions& options,
                                              std::uint64_t& lastId) {
  const auto rate = zeroThreadTime(moment);
  if ((!rate && !moment.brief) || moment.gap == Gap::First || moment.gap == Gap::Suspended) {
    m_freed.clear();
    return close();
  }
  m_freed.add(moment);
  if (m_bin.span == Nanoseconds(0)) m_bin.start = moment.time - moment.interval;
  m_bin.span += moment.interval;
  m_bin.ns += rate.value_or(0) * inSeconds(moment.interval);
  return m_bin.span + moment.interval / 2 >= kShortestBin ? judge(moment, options, lastId) : std::nullopt;
}

std::optional<Spike> ZeroingThreadSpikes::judge(const Moment& moment, const SpikeOptions& options,
                                                std::uint64_t& lastId) {
  const SpikeRule rule = spikeRule(options, ProcessMetric::ZeroingTime, moment.interval);
  const double rate = m_bin.ns / inSeconds(m_bin.span);
  const bool lasting = m_spike && moment.time - m_spike->start > options.memory;
  const double enter = m_spike && !lasting ? m_enter * kExitShare : rule.enter(options, m_past);
  std::optional<Spike> changed;
  if (rate > enter) {
    if (!m_spike) {
      m_enter = enter;
      m_spike.emplace();
      m_spike->usualPerSecond = m_past.median();
      m_spike->wallStart = {moment.wallTime.sinceEpoch - (moment.time - m_bin.start)};
    }
    grow(moment, rate);
    if (m_spike->id == 0 && static_cast<double>(*m_spike->cost.get(ProcessMetric::ZeroingTime)) >= rule.least)
      m_spike->id = ++lastId;
    if (m_spike->id != 0) changed = m_spike;
  } else if (m_spike && (lasting || moment.time - m_spike->end >= kQuietThreads)) {
    changed = close();
  }
  m_past.add(rate, moment.time, options.memory);
  m_bin = {};
  return changed;
}

void ZeroingThreadSpikes::grow(const Moment& moment, double rate) {
  Spike& spike = *m_spike;
  if (spike.cost.present() == 0) {
    spike.of = SpikeOf::ZeroingThreads;
    spike.name = "zeroing threads";
    spike.key = systemProcess(moment);
    spike.metric = ProcessMetric::ZeroingTime;
    spike.start = m_bin.start;
  }
  const std::uint64_t before = spike.cost.get(ProcessMetric::ZeroingTime).value_or(0);
  spike.cost.set(ProcessMetric::ZeroingTime, before + static_cast<std::uint64_t>(std::llround(m_bin.ns)));
  spike.end = moment.time;
  if (rate > spike.peakPerSecond) {
    spike.peakPerSecond = rate;
    spike.peakTime = moment.time;
  }
  spike.freed = m_freed.most({spike.start.sinceEpoch - kFreedBefore}, spike.end);
}

std::optional<Spike> ZeroingThreadSpikes::close() {
  m_bin = {};
  std::optional<Spike> ended = std::exchange(m_spike, std::nullopt);
  if (!ended || ended->id == 0) return std::nullopt;
  ended->open = false;
  return ended;
}

}  // namespace faultline
