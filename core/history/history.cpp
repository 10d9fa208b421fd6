#include "core/history/history.h"

#include <algorithm>

#include "core/history/query.h"
#include "core/history/state.h"

namespace faultline {

History::History(HistoryOptions options) : m_state(std::make_unique<State>(options)) {}
History::~History() = default;
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;

void History::add(const Moment& moment) {
  if (moment.gap != Gap::Backwards) m_state->add(moment);
}

void History::clear() {
  m_state = std::make_unique<State>(m_state->options);
  m_closeUp.reset();
}

void History::lay(std::unique_ptr<CloseUp> closeUp) {
  m_closeUp = std::move(closeUp);
}

std::unique_ptr<History::CloseUp> History::takeCloseUp() {
  return std::move(m_closeUp);
}

const History::State& History::stateOf(MonotonicTime from, MonotonicTime to) const {
  const bool close = m_closeUp && from >= m_closeUp->from && to <= m_closeUp->to;
  return close ? *m_closeUp->history.m_state : *m_state;
}

// Also of a process that only a close-up saw.
const Life* History::find(const ProcessKey& key) const {
  const Life* life = m_state->find(key);
  return life == nullptr && m_closeUp ? m_closeUp->history.m_state->find(key) : life;
}

std::vector<Bucket> History::process(const ProcessKey& key, ProcessMetric metric, MonotonicTime from, MonotonicTime to,
                                     std::size_t columns) const {
  const State& state = stateOf(from, to);
  const Life* life = state.find(key);
  if (life == nullptr) return {};
  return bucketsOf(state.timelines, *life, metric, {from, to, columns});
}

std::vector<Bucket> History::total(ProcessMetric metric, MonotonicTime from, MonotonicTime to,
                                   std::size_t columns) const {
  const State& state = stateOf(from, to);
  return bucketsOf(state.timelines, state.total, metric, {from, to, columns});
}

std::vector<Bucket> History::machine(SystemMetric metric, MonotonicTime from, MonotonicTime to,
                                     std::size_t columns) const {
  const State& state = stateOf(from, to);
  return bucketsOf(state.timelines, state.machine, metric, {from, to, columns});
}

std::vector<Stretch> History::stretches(const ProcessKey& key, MonotonicTime from, MonotonicTime to) const {
  const State& state = stateOf(from, to);
  const Life* life = state.find(key);
  return life == nullptr ? std::vector<Stretch>() : stretchesOf(state.timelines, *life, {from, to, 1});
}

Growth History::growth(const ProcessKey& key, MonotonicTime from, MonotonicTime to) const {
  const State& state = stateOf(from, to);
  const Life* life = state.find(key);
  return life == nullptr ? Growth() : growthOf(state.timelines, *life, {from, to, 1});
}

Growth History::totalGrowth(MonotonicTime from, MonotonicTime to) const {
  const State& state = stateOf(from, to);
  return growthOf(state.timelines, state.total, {from, to, 1});
}

std::optional<float> History::at(const ProcessKey& key, ProcessMetric metric, MonotonicTime time) const {
  const State& state = stateOf(time, time);
  const Life* life = state.find(key);
  return life == nullptr ? std::nullopt : state.at(*life, metric, time);
}

std::optional<float> History::totalAt(ProcessMetric metric, MonotonicTime time) const {
  const State& state = stateOf(time, time);
  return state.at(state.total, metric, time);
}

std::vector<ProcessKey> History::aliveAt(MonotonicTime time) const {
  const Timeline& raw = stateOf(time, time).timelines[0];
  const std::uint32_t sweep = raw.lastAt(time);
  const MonotonicTime when = sweep == raw.size() ? time : raw[sweep].start;
  return aliveBetween(when, when);
}

std::vector<ProcessKey> History::aliveBetween(MonotonicTime from, MonotonicTime to) const {
  std::vector<ProcessKey> keys;
  const State& state = stateOf(from, to);
  for (const Living& living : state.alive) {
    if (living.life->first <= to) keys.push_back(living.key);
  }
  const auto& dead = state.dead;
  for (auto it = std::ranges::lower_bound(dead, from, {}, &Dead::last); it != dead.end(); ++it) {
    if (it->first <= to) keys.push_back(it->key);
  }
  std::ranges::sort(keys);
  return keys;
}

std::optional<std::string> History::name(const ProcessKey& key) const {
  const Life* life = find(key);
  return life == nullptr ? std::nullopt : std::optional(life->name);
}

std::string History::service(const ProcessKey& key) const {
  const Life* life = find(key);
  return life == nullptr || !life->service ? std::string() : *life->service;
}

std::optional<MonotonicTime> History::oldest() const {
  for (std::size_t tier = kTierCount; tier-- > 0;) {
    if (!m_state->timelines[tier].empty()) return m_state->timelines[tier].front().start;
  }
  return std::nullopt;
}

std::optional<MonotonicTime> History::newest() const {
  const Timeline& raw = m_state->timelines[0];
  return raw.empty() ? std::nullopt : std::optional(raw.back().start);
}

WallTime History::wall(MonotonicTime time) const {
  for (const Timeline& timeline : m_state->timelines) {
    const std::uint32_t slot = timeline.lastAt(time);
    if (slot != timeline.size()) return {timeline[slot].wall.sinceEpoch + (time - timeline[slot].start)};
  }
  for (std::size_t tier = kTierCount; tier-- > 0;) {
    const Timeline& timeline = m_state->timelines[tier];
    if (!timeline.empty()) return {timeline.front().wall.sinceEpoch + (time - timeline.front().start)};
  }
  return {};
}

std::size_t History::memoryBytes() const {
  return m_state->bytes();
}

}  // namespace faultline
