// Life: the part of History about one process, in four tiers of slots from fine to coarse.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "core/history/track.h"
#include "core/model/metric.h"

namespace faultline {

inline constexpr std::size_t kTierCount = 4;
// Widths divide each other, so that buckets nest. The last tier keeps its buckets until memory runs short.
inline constexpr std::array<Nanoseconds, kTierCount> kTierWidth{Nanoseconds{0}, std::chrono::seconds(5),
                                                                std::chrono::minutes(1), std::chrono::minutes(15)};
inline constexpr std::array<Nanoseconds, kTierCount> kTierHorizon{Nanoseconds{0} /* HistoryOptions::fullResolution */,
                                                                  std::chrono::hours(1), std::chrono::hours(25),
                                                                  Nanoseconds::max()};

[[nodiscard]] constexpr Weight weightOf(ProcessMetric metric) {
  return field(metric).kind == MetricKind::Gauge ? Weight::Moments : Weight::Time;
}

// One series in all tiers.
struct Tracks {
  Track<RawRun> raw;
  std::array<SpreadTrack, kTierCount - 1> coarse;
};

// The series that need no privilege come first in kKeptMetrics. The others take no memory while they are absent.
inline constexpr auto kPlainSeries = static_cast<std::size_t>(
    std::ranges::count(kKeptMetrics, Needs::Nothing, [](ProcessMetric metric) { return field(metric).needs; }));
using PlainTracks = std::array<Tracks, kPlainSeries>;
using OtherTracks = std::array<Tracks, kKeptCount - kPlainSeries>;

// A process and its values over time. The tracks say nothing about slots that start after `last`.
struct Life {
  std::string name;
  std::unique_ptr<const std::string> service;  // as ProcessSample has it; null: empty
  MonotonicTime first;
  MonotonicTime last;     // while the process runs: the newest moment
  MonotonicTime changed;  // the last moment with another value than the one before
  PlainTracks plain;
  std::unique_ptr<OtherTracks> others;  // null while all of them are absent

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

}  // namespace faultline
