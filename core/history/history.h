// History: every process's series, within a hard memory budget. Full resolution for the last ten minutes, then ever
// wider buckets that keep minimum, mean and maximum, so that a spike of one sample is seen at any zoom.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/history/rates.h"

namespace faultline {

// A series is a metric that the field table says to keep: a counter as its rate per second, a gauge as its level. The
// whole machine's levels are its own (committed memory, memory in use), not sums over processes.

// A bucket of a series: the samples taken in [start, end]. A bucket of one sample has start == end and min == max.
// After a gap (late, suspended, absent in between, or the very first) no line may lead to it from the one before.
struct Bucket {
  MonotonicTime start;
  MonotonicTime end;
  float min = 0;
  float mean = 0;
  float max = 0;
  bool gapBefore = false;

  bool operator==(const Bucket&) const = default;
};

// One series over some time: what it was while it was known, which may be less than all that time.
struct SeriesPart {
  float min = 0;
  float mean = 0;
  float max = 0;
  Nanoseconds known{0};  // of a rate: mean times this is the counter's difference
  bool rated = true;     // false: of a single sample so soon after the one before that its rate says nothing
};

// What a process did in one sample's interval, or in a bucket's: that of all its samples.
struct Stretch {
  MonotonicTime start;  // its first and last sample
  MonotonicTime end;
  Nanoseconds interval{0};  // that these samples cover: longer than from start to end by the first one's own
  std::uint32_t samples = 0;
  bool gapBefore = false;
  std::array<std::optional<SeriesPart>, kKeptCount> series;  // of kKeptMetrics

  [[nodiscard]] const std::optional<SeriesPart>& of(ProcessMetric kept) const { return series.at(keptPlace(kept)); }
};

struct HistoryOptions {
  std::size_t budgetBytes = std::size_t{64} << 20U;
  Nanoseconds fullResolution = std::chrono::minutes(10);
};

class History {
 public:
  explicit History(HistoryOptions options = {});
  ~History();
  History(History&&) noexcept;
  History& operator=(History&&) noexcept;

  void add(const Moment& moment);
  void clear();

  // Of a metric that is not kept there are no values.
  // Buckets that touch [from, to], oldest first, merged to about `columns` of them (a few more where tiers meet):
  // the work grows with the columns, not with the samples. Time without a value has no bucket. Every sample of the
  // range is in exactly one bucket; those at the edges may hold a few more from just outside.
  [[nodiscard]] std::vector<Bucket> process(const ProcessKey& key, ProcessMetric metric, MonotonicTime from,
                                            MonotonicTime to, std::size_t columns) const;
  [[nodiscard]] std::vector<Bucket> total(ProcessMetric metric, MonotonicTime from, MonotonicTime to,
                                          std::size_t columns) const;

  // The same for all series at once, as fine as it is kept: what a table of numbers is made of.
  [[nodiscard]] std::vector<Stretch> stretches(const ProcessKey& key, MonotonicTime from, MonotonicTime to) const;

  // The value at that instant: of the latest sample or bucket at or before it (a bucket gives its mean). Absent when
  // there was none, in a gap, and long after the newest.
  [[nodiscard]] std::optional<float> at(const ProcessKey& key, ProcessMetric metric, MonotonicTime time) const;
  [[nodiscard]] std::vector<ProcessKey> aliveAt(MonotonicTime time) const;
  [[nodiscard]] std::vector<ProcessKey> aliveBetween(MonotonicTime from, MonotonicTime to) const;  // sorted
  [[nodiscard]] std::optional<std::string> name(const ProcessKey& key) const;

  [[nodiscard]] std::optional<MonotonicTime> oldest() const;
  [[nodiscard]] std::optional<MonotonicTime> newest() const;
  // Wall time of an instant, by the nearest sample kept (the wall clock may have been set in between).
  [[nodiscard]] WallTime wall(MonotonicTime time) const;
  [[nodiscard]] std::size_t memoryBytes() const;  // what the budget is held against

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
