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
  [[nodiscard]] bool endsAbsent() const { return m_runs.empty() || m_runs.back().absent(); }

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

  // Calls visit(first, last, spread) for each run of present slots within the numbers [first, last).
  template <class Visit>
  void visit(std::uint32_t first, std::uint32_t last, Visit visit) const {
    if (distance(first, last) <= 0) return;
    std::uint32_t run = runAt(first);
    if (run == m_runs.size()) run = 0;
    for (; run < m_runs.size() && distance(m_runs[run].from, last) > 0; ++run) {
      if (m_runs[run].absent()) continue;
      const std::uint32_t begin = distance(first, m_runs[run].from) > 0 ? m_runs[run].from : first;
      const bool ends = run + 1 < m_runs.size() && distance(m_runs[run + 1].from, last) > 0;
      visit(begin, ends ? m_runs[run + 1].from : last, m_runs[run].spread());
    }
  }

 private:
  Ring<Run> m_runs;
};

// What a track was over the slots [first, last): min, max, and the mean weighted by the moments in each slot.
template <class Run>
[[nodiscard]] Spread fold(const Track<Run>& track, const Timeline& timeline, std::uint32_t first, std::uint32_t last) {
  Spread out;
  double sum = 0;
  double weight = 0;
  track.visit(first, last, [&](std::uint32_t begin, std::uint32_t end, const Spread& value) {
    double moments = 0;
    if constexpr (std::is_same_v<Run, RawRun>) moments = distance(begin, end);
    else
      for (std::uint32_t slot = begin; slot != end; ++slot) moments += timeline.numbered(slot).moments;
    out.min = std::fmin(out.min, value.min);
    out.max = std::fmax(out.max, value.max);
    sum += value.mean * moments;
    weight += moments;
  });
  if (weight > 0) out.mean = out.min == out.max ? out.min : static_cast<float>(sum / weight);
  return out;
}

}  // namespace faultline
