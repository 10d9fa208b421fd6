// Track: one series of one process in one tier, run-length encoded, so that what does not change costs nothing.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "core/monitor/timeline.h"

namespace faultline {

inline constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();

// Minimum, mean and maximum over a slot; absent is not a number in all three.
struct Spread {
  float min = kAbsent;
  float mean = kAbsent;
  float max = kAbsent;

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
  Spread value;

  [[nodiscard]] bool absent() const { return value.absent(); }
  [[nodiscard]] Spread spread() const { return value; }
  [[nodiscard]] bool same(const SpreadRun& other) const {
    return (absent() && other.absent()) ||
           (value.min == other.value.min && value.mean == other.value.mean && value.max == other.value.max);
  }
};

// Signed distance of two slot numbers, which wrap.
[[nodiscard]] inline std::int32_t distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::int32_t>(to - from);
}

template <class Run>
class Track {
 public:
  // What is so from slot `run.from` on. Before the first run the series is absent.
  void append(const Run& run, std::size_t& account) {
    if (m_runs.empty() ? run.absent() : m_runs.back().same(run)) return;
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
  // Nothing has changed since slot `number`.
  [[nodiscard]] bool steadySince(std::uint32_t number) const {
    return m_runs.empty() || distance(m_runs.back().from, number) >= 0;
  }

  // Index of the run that holds slot `number`; size() when it is before them all.
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

 private:
  Ring<Run> m_runs;
};

// What a track was over some slots. The mean is weighted by the moments in each of them.
struct Folded {
  Spread spread;            // absent when it had no value in any of them
  std::uint32_t first = 0;  // the slots [first, last) from its first to its last value
  std::uint32_t last = 0;
};

// Folds the slots [first, last) of a track. A cursor starts at 0 and makes folding ranges one after the other cheap.
template <class Run>
[[nodiscard]] Folded fold(const Track<Run>& track, const Timeline& timeline, std::uint32_t first, std::uint32_t last,
                          std::uint32_t& cursor) {
  Folded out;
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  double sum = 0;
  double weight = 0;
  while (cursor + 1 < track.size() && distance(track[cursor + 1].from, first) >= 0) ++cursor;
  std::uint32_t index = cursor;
  for (std::uint32_t end = first; index < track.size(); ++index) {
    const Run& run = track[index];
    const std::uint32_t begin = distance(end, run.from) > 0 ? run.from : end;
    if (distance(begin, last) <= 0) break;
    end = index + 1 == track.size() || distance(track[index + 1].from, last) <= 0 ? last : track[index + 1].from;
    if (run.absent()) continue;
    const Spread value = run.spread();
    double moments = distance(begin, end);
    if constexpr (!std::is_same_v<Run, RawRun>) moments = timeline.moments(begin, end);
    if (weight == 0) out.first = begin;
    out.last = end;
    low = std::min(low, value.min);
    high = std::max(high, value.max);
    sum += double{value.mean} * moments;
    weight += moments;
    if (end == last) break;
  }
  if (index < track.size()) cursor = index;
  if (weight > 0) out.spread = {low, std::clamp(static_cast<float>(sum / weight), low, high), high};
  return out;
}

}  // namespace faultline
