// History: the series of every process, within a hard memory budget. Full resolution for the last ten minutes, then
// wider and wider buckets with minimum, mean and maximum, so that a spike of one sample is visible at any zoom.
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

struct Life;

// A series is a metric that the field table marks as kept: a counter as its rate per second, a gauge as its level. The
// machine's levels (committed memory, memory in use) are measured, not summed over processes.

// A bucket of a series: the samples taken in [start, end]. A bucket of one sample has start == end and min == max.
// `gapBefore`: do not draw a line from the previous bucket (late, suspended, absent in between, or the first).
struct Bucket {
  MonotonicTime start;
  MonotonicTime end;
  float min = 0;
  float mean = 0;
  float max = 0;
  bool gapBefore = false;

  bool operator==(const Bucket&) const = default;
};

// One series over some time; it may be known for only a part of that time.
struct SeriesPart {
  float min = 0;
  float mean = 0;
  float max = 0;
  Nanoseconds known{0};  // of a rate: mean times known is the counter's difference
  bool rated = true;     // false: a single sample, too soon after the previous sample for a rate
};

// All series of a process over the interval of one sample, or over a bucket of samples.
struct Stretch {
  MonotonicTime start;      // of the first sample
  MonotonicTime end;        // of the last sample
  Nanoseconds interval{0};  // covered by the samples: end - start, and the interval before the first sample
  std::uint32_t samples = 0;
  bool gapBefore = false;
  std::array<std::optional<SeriesPart>, kKeptCount> series;  // of kKeptMetrics

  [[nodiscard]] const std::optional<SeriesPart>& of(ProcessMetric kept) const { return series.at(keptPlace(kept)); }
};

// What counters grew by over the samples of some time. The parts of a gauge, and of a series that no sample has, are
// absent. Exact to seven digits: History keeps rates.
struct Growth {
  ProcessDeltas deltas;
  Nanoseconds covered{0};  // by the samples of the process's life, those at the edges with all of their time
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

  // A part of the same stream, in a finer resolution than is kept: what is asked of an instant or a range within it is
  // answered by it from now on. Null: none.
  struct CloseUp;
  void lay(std::unique_ptr<CloseUp> closeUp);
  [[nodiscard]] std::unique_ptr<CloseUp> takeCloseUp();
  [[nodiscard]] bool hasCloseUp() const { return m_closeUp != nullptr; }

  // Buckets that touch [from, to], oldest first, merged to about `columns` buckets (a few more where tiers meet). The
  // work grows with the columns, not with the samples. Time without a value has no bucket. Every sample of the range is
  // in exactly one bucket; the buckets at the edges may hold a few samples from outside. Empty for other metrics.
  [[nodiscard]] std::vector<Bucket> process(const ProcessKey& key, ProcessMetric metric, MonotonicTime from,
                                            MonotonicTime to, std::size_t columns) const;
  [[nodiscard]] std::vector<Bucket> total(ProcessMetric metric, MonotonicTime from, MonotonicTime to,
                                          std::size_t columns) const;
  // Of the machine's own series: those that Windows alone has.
  [[nodiscard]] std::vector<Bucket> machine(SystemMetric metric, MonotonicTime from, MonotonicTime to,
                                            std::size_t columns) const;

  // The same for all series at once, in the finest resolution kept.
  [[nodiscard]] std::vector<Stretch> stretches(const ProcessKey& key, MonotonicTime from, MonotonicTime to) const;

  // Over the samples, or buckets of samples, that touch [from, to], in the finest resolution kept.
  [[nodiscard]] Growth growth(const ProcessKey& key, MonotonicTime from, MonotonicTime to) const;
  [[nodiscard]] Growth totalGrowth(MonotonicTime from, MonotonicTime to) const;

  // Value of the latest sample, or mean of the latest bucket, at or before `time`. Absent if there was none, in a gap,
  // and long after the newest sample.
  [[nodiscard]] std::optional<float> at(const ProcessKey& key, ProcessMetric metric, MonotonicTime time) const;
  [[nodiscard]] std::optional<float> totalAt(ProcessMetric metric, MonotonicTime time) const;  // as total() has it
  [[nodiscard]] std::vector<ProcessKey> aliveAt(MonotonicTime time) const;
  [[nodiscard]] std::vector<ProcessKey> aliveBetween(MonotonicTime from, MonotonicTime to) const;  // sorted
  [[nodiscard]] std::optional<std::string> name(const ProcessKey& key) const;
  [[nodiscard]] std::string service(const ProcessKey& key) const;  // as ProcessSample has it

  [[nodiscard]] std::optional<MonotonicTime> oldest() const;
  [[nodiscard]] std::optional<MonotonicTime> newest() const;
  // Wall time of an instant, from the nearest sample kept (the wall clock may have been set in between).
  [[nodiscard]] WallTime wall(MonotonicTime time) const;
  [[nodiscard]] std::size_t memoryBytes() const;  // compared with the budget

 private:
  struct State;
  [[nodiscard]] const State& stateOf(MonotonicTime from, MonotonicTime to) const;
  [[nodiscard]] const Life* find(const ProcessKey& key) const;

  std::unique_ptr<State> m_state;
  std::unique_ptr<CloseUp> m_closeUp;
};

struct History::CloseUp {
  History history;
  MonotonicTime from;  // its first sample without a predecessor lies before
  MonotonicTime to;
};

}  // namespace faultline
