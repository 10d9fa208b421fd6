// Track: one series of one process in one tier, run-length encoded: an unchanged value takes no memory.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "core/history/timeline.h"

namespace faultline {

inline constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();

// Minimum, mean and maximum over a slot; all three are NaN if absent. The mean of a rate is over the known part of the
// slot's time: mean times part times the time that the slot covers is the counter's difference.
struct Spread {
  float min = kAbsent;
  float mean = kAbsent;
  float max = kAbsent;
  float part = 1;

  [[nodiscard]] bool absent() const { return std::isnan(mean); }
};

// The value from slot number `from` on, until the next run. Raw: one number.
struct RawRun {
  std::uint32_t from = 0;
  float value = kAbsent;

  [[nodiscard]] bool absent() const { return std::isnan(value); }
  [[nodiscard]] Spread spread() const { return {value, value, value}; }
  [[nodiscard]] bool same(const RawRun& other) const {
    return std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(other.value);
  }
};

struct SpreadRun {
  std::uint32_t from = 0;
  float min = kAbsent;
  float mean = kAbsent;
  float max = kAbsent;

  [[nodiscard]] bool absent() const { return std::isnan(mean); }
  [[nodiscard]] Spread spread() const { return {min, mean, max}; }
  [[nodiscard]] bool same(const SpreadRun& other) const {
    return (absent() && other.absent()) || (min == other.min && mean == other.mean && max == other.max);
  }
};

// Signed distance of two slot numbers, which wrap.
[[nodiscard]] inline std::int32_t distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::int32_t>(to - from);
}

template <class Run>
class Track {
 public:
  // Sets the value from slot `run.from` on. Before the first run the series is absent. `anyway`: begins a run even if
  // the value is unchanged.
  void append(const Run& run, std::size_t& account, bool anyway = false) {
    if (m_runs.empty() ? run.absent() : m_runs.back().same(run) && !anyway) return;
    m_runs.push(run, account);
  }
  void dropBefore(std::uint32_t number, std::size_t& account) {
    if (m_runs.empty() || distance(m_runs.front().from, number) <= 0) return;
    std::uint32_t gone = 0;
    while (gone + 1 < m_runs.size() && distance(m_runs[gone + 1].from, number) >= 0) ++gone;
    m_runs[gone].from = number;
    if (m_runs[gone].absent()) ++gone;
    if (gone > 0) m_runs.pop(gone, account);
  }
  void shrink(std::size_t& account) { m_runs.shrink(account); }
  void clear(std::size_t& account) { m_runs.clear(account); }
  [[nodiscard]] bool empty() const { return m_runs.empty(); }
  // The value has not changed since slot `number`.
  [[nodiscard]] bool steadySince(std::uint32_t number) const {
    return m_runs.empty() || distance(m_runs.back().from, number) >= 0;
  }

  // Index of the run that holds slot `number`; size() if the slot is before all runs.
  [[nodiscard]] std::uint32_t runAt(std::uint32_t number) const {
    std::uint32_t low = 0;
    std::uint32_t high = m_runs.size();
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (distance(m_runs[middle].from, number) >= 0) low = middle + 1;
      else high = middle;
    }
    return low == 0 ? m_runs.size() : low - 1;
  }
  [[nodiscard]] Spread at(std::uint32_t number) const {
    const std::uint32_t run = runAt(number);
    return run == m_runs.size() ? Spread{} : m_runs[run].spread();
  }

  [[nodiscard]] std::uint32_t size() const { return m_runs.size(); }
  [[nodiscard]] const Run& operator[](std::uint32_t index) const { return m_runs[index]; }
  [[nodiscard]] Spread spread(std::uint32_t index) const { return m_runs[index].spread(); }

 private:
  Ring<Run> m_runs;
};

// A track of the coarse tiers. Keeps `part` separately, because nearly all buckets are known throughout.
class SpreadTrack {
 public:
  void append(std::uint32_t slot, const Spread& spread, std::size_t& account) {
    const float part = spread.absent() ? 1 : spread.part;
    const bool other = part != (m_parts.empty() ? 1 : m_parts[m_parts.size() - 1].value);
    if (other) m_parts.append({slot, part}, account);
    m_runs.append({slot, spread.min, spread.mean, spread.max}, account, other);
  }
  void dropBefore(std::uint32_t number, std::size_t& account) {
    m_runs.dropBefore(number, account);
    m_parts.dropBefore(number, account);
  }
  void shrink(std::size_t& account) {
    m_runs.shrink(account);
    m_parts.shrink(account);
  }
  void clear(std::size_t& account) {
    m_runs.clear(account);
    m_parts.clear(account);
  }
  [[nodiscard]] bool empty() const { return m_runs.empty(); }
  [[nodiscard]] bool steadySince(std::uint32_t number) const { return m_runs.steadySince(number); }
  [[nodiscard]] std::uint32_t runAt(std::uint32_t number) const { return m_runs.runAt(number); }
  [[nodiscard]] std::uint32_t size() const { return m_runs.size(); }
  [[nodiscard]] const SpreadRun& operator[](std::uint32_t index) const { return m_runs[index]; }
  [[nodiscard]] Spread spread(std::uint32_t index) const {
    Spread spread = m_runs[index].spread();
    const Spread part = m_parts.at(m_runs[index].from);
    if (!part.absent()) spread.part = part.mean;
    return spread;
  }
  [[nodiscard]] Spread at(std::uint32_t number) const {
    const std::uint32_t run = runAt(number);
    return run == size() ? Spread{} : spread(run);
  }

 private:
  Track<SpreadRun> m_runs;
  Track<RawRun> m_parts;
};

// Weight of a slot in a mean: the time covered for a rate, the number of moments for a level.
enum class Weight : std::uint8_t { Time, Moments };

// A track's values over some slots.
struct Folded {
  Spread spread;            // absent if no slot has a value
  bool rated = false;       // at least one moment was not brief
  std::uint32_t first = 0;  // [first, last): the slots from the first to the last value
  std::uint32_t last = 0;
};

// Folds the slots [first, last) of a track. `cursor` starts at 0; it makes successive ranges cheap.
template <class AnyTrack>
[[nodiscard]] Folded fold(const AnyTrack& track, Weight by, const Timeline& timeline, std::uint32_t first,
                          std::uint32_t last, std::uint32_t& cursor) {
  Folded out;
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  double sum = 0;
  double weight = 0;
  double known = 0;  // ns
  while (cursor + 1 < track.size() && distance(track[cursor + 1].from, first) >= 0) ++cursor;
  std::uint32_t index = cursor;
  for (std::uint32_t end = first; index < track.size(); ++index) {
    const auto& run = track[index];
    const std::uint32_t begin = distance(end, run.from) > 0 ? run.from : end;
    if (distance(begin, last) <= 0) break;
    end = index + 1 == track.size() || distance(track[index + 1].from, last) <= 0 ? last : track[index + 1].from;
    if (run.absent()) continue;
    const Spread value = track.spread(index);
    const Sums sums = timeline.sums(begin, end);
    const double covered = static_cast<double>(sums.covered.count()) * double{value.part};
    const double share = by == Weight::Time ? covered : sums.moments;
    if (weight == 0) out.first = begin;
    out.last = end;
    if (!std::is_same_v<AnyTrack, Track<RawRun>> || sums.rated()) {
      low = std::min(low, value.min);
      high = std::max(high, value.max);
    }
    sum += double{value.mean} * share;
    weight += share;
    known += covered;
    if (end == last) break;
  }
  if (index < track.size()) cursor = index;
  if (weight == 0) return out;
  const auto all = static_cast<double>(timeline.sums(first, last).covered.count());
  const auto mean = static_cast<float>(sum / weight);
  // A brief moment can move the mean beyond the minimum or maximum of the others.
  const bool whole = by == Weight::Moments || all == 0;
  out.spread = {std::min(low, mean), mean, std::max(high, mean), whole ? 1 : static_cast<float>(known / all)};
  out.rated = low <= high;
  return out;
}

}  // namespace faultline
