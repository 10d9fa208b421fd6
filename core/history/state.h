// History's inside: four tiers of slots, each coarser one made of whole slots of the finer, and each process's tracks.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "core/history/track.h"

namespace faultline {

inline constexpr std::size_t kTierCount = 4;
// Widths divide each other, so that buckets nest. The last tier keeps its buckets until the budget is used up.
inline constexpr std::array<Nanoseconds, kTierCount> kTierWidth{Nanoseconds{0}, std::chrono::seconds(5),
                                                                std::chrono::minutes(1), std::chrono::minutes(15)};
inline constexpr std::array<Nanoseconds, kTierCount> kTierHorizon{Nanoseconds{0} /* HistoryOptions::fullResolution */,
                                                                  std::chrono::hours(1), std::chrono::hours(25),
                                                                  Nanoseconds::max()};

// One series.
struct Tracks {
  Track<RawRun> raw;
  std::array<SpreadTrack, kTierCount - 1> coarse;
};

// Those that need no privilege come first in kKeptMetrics; where the collector has none, the others take no memory.
inline constexpr auto kPlainSeries = static_cast<std::size_t>(
    std::ranges::count(kKeptMetrics, Needs::Nothing, [](ProcessMetric metric) { return field(metric).needs; }));
using PlainTracks = std::array<Tracks, kPlainSeries>;
using OtherTracks = std::array<Tracks, kKeptCount - kPlainSeries>;

// One process from birth to death, and what it did. Its tracks say nothing about slots that start after `last`.
struct Life {
  std::string name;
  MonotonicTime first;
  MonotonicTime last;  // the newest moment, while it lives
  PlainTracks plain;
  std::unique_ptr<OtherTracks> others;  // none as long as they are absent

  [[nodiscard]] const Tracks* tracks(std::size_t series) const {
    if (series < kPlainSeries) return &plain[series];
    return others && series < kKeptCount ? &(*others)[series - kPlainSeries] : nullptr;
  }
  template <class Visit>
  void forEachSeries(Visit visit) {
    std::ranges::for_each(plain, visit);
    if (others) std::ranges::for_each(*others, visit);
  }
};

struct Dead {
  MonotonicTime first;
  MonotonicTime last;
  ProcessKey key;
  Life* life = nullptr;
};

[[nodiscard]] constexpr Weight weightOf(ProcessMetric metric) {
  return field(metric).kind == MetricKind::Gauge ? Weight::Moments : Weight::Time;
}

using RawValues = std::array<float, kKeptCount>;
inline constexpr RawValues kAllAbsent = [] {
  RawValues values;
  values.fill(kAbsent);
  return values;
}();

struct Living {
  ProcessKey key;
  Life* life = nullptr;
  RawValues values{};  // the newest: while they stay, its tracks need not be looked at
};

struct History::State {
  explicit State(HistoryOptions given) : options(given) {}

  void add(const Moment& moment);
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] const Life* find(const ProcessKey& key) const;

  HistoryOptions options;
  std::array<Timeline, kTierCount> timelines;
  std::array<std::uint32_t, kTierCount> folded{};  // [k]: the first slot of tier k-1 that is not yet part of tier k
  std::array<std::size_t, kTierCount> tierBytes{};
  std::size_t nameBytes = 0;
  std::size_t otherBytes = 0;  // of Life::others, without their runs
  Nanoseconds lastInterval{0};
  std::map<ProcessKey, Life> lives;
  std::vector<Living> alive;  // sorted by key
  std::vector<Living> scratch;
  std::deque<Dead> dead;  // in the order they died
  Life total;

 private:
  void addRows(const Moment& moment, std::uint32_t slot);
  void append(Life& life, const RawValues& values, std::uint32_t slot);
  [[nodiscard]] Life& begin(const ProcessRow& row, MonotonicTime time);
  void end(const Living& living);
  void rename(Life& life, const std::string& name);

  void close(std::size_t tier);
  void foldInto(std::size_t tier, Life& life, std::uint32_t first, std::uint32_t last);
  void dropOld(std::size_t tier, Life& life);
  void trim(std::size_t tier, MonotonicTime cutoff);
  void keepBudget();
  void evictDead();
  [[nodiscard]] bool shorten(std::size_t tier);
};

}  // namespace faultline
