#include "core/history/query.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

using Timelines = std::array<Timeline, kTierCount>;

struct Segment {
  std::size_t tier = 0;
  std::uint32_t first = 0;  // slot numbers [first, last)
  std::uint32_t last = 0;
};

Sums sumsAt(const Timeline& timeline, std::uint32_t slot) {
  return timeline.sums(slot, slot + 1);
}

// Most slots to read for each wanted column; beyond that, a coarser tier is read.
constexpr std::size_t kSlotsPerColumn = 8;

// The slots of one tier that touch [from, to] and start in [low, high).
Segment slotsIn(const Timelines& timelines, std::size_t tier, const TimeRange& range, MonotonicTime low,
                MonotonicTime high) {
  const Timeline& timeline = timelines[tier];
  std::uint32_t first = timeline.firstFrom(std::max(range.from, low));
  if (first > 0 && timeline[first - 1].start >= low && timeline[first - 1].end >= range.from) --first;
  const std::uint32_t last = timeline.firstFrom(std::min(range.to + Nanoseconds{1}, high));
  return {tier, timeline.base() + first, timeline.base() + std::max(first, last)};
}

constexpr MonotonicTime kBeginning{Nanoseconds::min()};
constexpr MonotonicTime kEnd{Nanoseconds::max()};

std::size_t chooseTier(const Timelines& timelines, const TimeRange& range, std::size_t columns) {
  const Nanoseconds column = (range.to - range.from) / static_cast<std::int64_t>(columns);
  std::size_t tier = 0;
  while (tier + 1 < kTierCount && kTierWidth[tier + 1] <= column) ++tier;
  while (tier + 1 < kTierCount) {
    const Segment all = slotsIn(timelines, tier, range, kBeginning, kEnd);
    if ((all.last - all.first) / kSlotsPerColumn <= columns + 8) break;
    ++tier;
  }
  return tier;
}

// Oldest first. Buckets nest, so each moment is in exactly one segment.
std::vector<Segment> segmentsOf(const Timelines& timelines, const TimeRange& range, std::size_t base) {
  std::vector<Segment> older;
  MonotonicTime oldest = kEnd;
  for (std::size_t tier = 0; tier <= base; ++tier) {
    if (!timelines[tier].empty()) oldest = std::min(oldest, timelines[tier].front().start);
  }
  for (std::size_t tier = base + 1; tier < kTierCount; ++tier) {
    if (timelines[tier].empty()) continue;
    older.push_back(slotsIn(timelines, tier, range, kBeginning, oldest));
    oldest = std::min(oldest, timelines[tier].front().start);
  }
  std::vector<Segment> segments(older.rbegin(), older.rend());
  MonotonicTime closed = kBeginning;
  for (std::size_t tier = base + 1; tier-- > 0;) {
    if (timelines[tier].empty()) continue;
    segments.push_back(slotsIn(timelines, tier, range, closed, kEnd));
    closed = std::max(closed, timelines[tier].back().end + Nanoseconds{1});
  }
  return segments;
}

// The columns of a range; groups the slots of a timeline that start in the same column.
class Columns {
 public:
  explicit Columns(const TimeRange& range)
      : m_from(range.from),
        m_width(std::max(Nanoseconds{1}, (range.to - range.from) / static_cast<std::int64_t>(range.columns))) {}

  // The first slot after `number`, up to `last`, that starts in another column. Searches from the previous column's
  // number of slots.
  [[nodiscard]] std::uint32_t next(const Timeline& timeline, std::uint32_t number, std::uint32_t last) {
    const Nanoseconds into = timeline.numbered(number).start - m_from;
    const MonotonicTime end = m_from + (into < Nanoseconds{0} ? 1 : into / m_width + 1) * m_width;
    const auto within = [&](std::uint32_t slot) { return timeline.numbered(slot).start < end; };
    std::uint32_t slot = number + std::min(m_slots, last - number);
    while (slot != last && within(slot)) ++slot;
    while (slot - 1 != number && !within(slot - 1)) --slot;
    m_slots = slot - number;
    return slot;
  }

 private:
  MonotonicTime m_from;
  Nanoseconds m_width;
  std::uint32_t m_slots = 1;
};

// `broken`: the series was absent just before this segment; updated for the next segment.
template <class AnyTrack>
void addSegment(const Timeline& timeline, const AnyTrack& track, Weight by, const Segment& segment, Columns& columns,
                bool& broken, std::vector<Bucket>& out) {
  if (segment.first == segment.last) return;
  if (track.empty()) {
    broken = true;
    return;
  }
  std::uint32_t cursor = track.runAt(segment.first) % track.size();  // 0 if the track begins later
  for (std::uint32_t first = segment.first; first != segment.last;) {
    const std::uint32_t last = columns.next(timeline, first, segment.last);
    const Folded folded = fold(track, by, timeline, first, last, cursor);
    if (!folded.rated) {
      broken = true;
    } else {
      const Slot& begin = timeline.numbered(folded.first);
      const bool gap = broken || folded.first != first || begin.gapBefore;
      const Spread& spread = folded.spread;
      out.push_back({begin.start, timeline.numbered(folded.last - 1).end, spread.min, spread.mean, spread.max, gap});
      broken = folded.last != last;
    }
    first = last;
  }
}

// `last`: the series says nothing after it.
std::vector<Bucket> seriesOf(const Timelines& timelines, const Tracks* tracks, Weight by, MonotonicTime last,
                             const TimeRange& range) {
  if (tracks == nullptr || range.to < range.from || range.columns == 0) return {};
  Columns columns(range);
  bool broken = true;
  std::vector<Bucket> buckets;
  const TimeRange lived{range.from, std::min(range.to, last), range.columns};
  const auto segments = segmentsOf(timelines, lived, chooseTier(timelines, range, range.columns));
  std::size_t most = segments.size();
  for (const Segment& segment : segments) most += segment.last - segment.first;
  buckets.reserve(std::min(most, range.columns + segments.size()));
  for (const Segment& segment : segments) {
    const Timeline& timeline = timelines[segment.tier];
    if (segment.tier == 0) addSegment(timeline, tracks->raw, by, segment, columns, broken, buckets);
    else addSegment(timeline, tracks->coarse[segment.tier - 1], by, segment, columns, broken, buckets);
  }
  return buckets;
}

std::optional<SeriesPart> partOf(const Tracks& tracks, std::size_t tier, const Timeline& timeline, std::uint32_t slot) {
  const Spread value = tier == 0 ? tracks.raw.at(slot) : tracks.coarse[tier - 1].at(slot);
  if (value.absent()) return std::nullopt;
  const Sums sums = sumsAt(timeline, slot);
  const double known = static_cast<double>(sums.covered.count()) * double{value.part};
  return SeriesPart{value.min, value.mean, value.max, Nanoseconds(std::llround(known)), tier != 0 || sums.rated()};
}

Stretch stretchOf(const Life& life, std::size_t tier, const Timeline& timeline, std::uint32_t number) {
  const Slot& slot = timeline.numbered(number);
  const Sums sums = sumsAt(timeline, number);
  Stretch out{.start = slot.start,
              .end = slot.end,
              .interval = sums.covered,
              .samples = sums.moments,
              .gapBefore = slot.gapBefore,
              .series = {}};
  for (std::size_t series = 0; series < kKeptCount; ++series) {
    if (const Tracks* tracks = life.tracks(series)) out.series[series] = partOf(*tracks, tier, timeline, number);
  }
  return out;
}

template <class AnyTrack>
Folded foldAll(const AnyTrack& track, const Timeline& timeline, const Segment& segment) {
  if (track.empty()) return {};
  std::uint32_t cursor = track.runAt(segment.first) % track.size();
  return fold(track, Weight::Time, timeline, segment.first, segment.last, cursor);
}

// Of a counter, its difference.
std::optional<double> grownBy(const Tracks& tracks, ProcessMetric metric, const Timeline& timeline,
                              const Segment& segment) {
  if (field(metric).kind == MetricKind::Gauge) return std::nullopt;
  const Spread spread = segment.tier == 0 ? foldAll(tracks.raw, timeline, segment).spread
                                          : foldAll(tracks.coarse[segment.tier - 1], timeline, segment).spread;
  if (spread.absent()) return std::nullopt;
  const double seconds = std::chrono::duration<double>(timeline.sums(segment.first, segment.last).covered).count();
  return double{spread.mean} * double{spread.part} * seconds;
}

}  // namespace

std::vector<Bucket> bucketsOf(const Timelines& timelines, const Life& life, ProcessMetric metric,
                              const TimeRange& range) {
  return seriesOf(timelines, life.tracks(keptPlace(metric)), weightOf(metric), life.last, range);
}

std::vector<Bucket> bucketsOf(const Timelines& timelines, const MachineTracks& machine, SystemMetric metric,
                              const TimeRange& range) {
  const std::size_t place = machinePlace(metric);
  const Tracks* const tracks = place < machine.size() ? &machine[place] : nullptr;
  return seriesOf(timelines, tracks, weightOf(metric), range.to, range);
}

std::vector<Stretch> stretchesOf(const Timelines& timelines, const Life& life, const TimeRange& range) {
  std::vector<Stretch> stretches;
  if (range.to < range.from) return stretches;
  const TimeRange lived{range.from, std::min(range.to, life.last), range.columns};
  for (const Segment& segment : segmentsOf(timelines, lived, 0)) {
    for (std::uint32_t number = segment.first; number != segment.last; ++number) {
      Stretch stretch = stretchOf(life, segment.tier, timelines[segment.tier], number);
      const auto known = [](const auto& part) { return part.has_value(); };
      if (std::ranges::any_of(stretch.series, known)) stretches.push_back(stretch);
    }
  }
  return stretches;
}

Growth growthOf(const Timelines& timelines, const Life& life, const TimeRange& range) {
  Growth growth;
  if (range.to < range.from) return growth;
  std::array<std::optional<double>, kKeptCount> sums;
  const TimeRange lived{std::max(range.from, life.first), std::min(range.to, life.last), range.columns};
  if (lived.to < lived.from) return growth;
  for (const Segment& segment : segmentsOf(timelines, lived, 0)) {
    if (segment.first == segment.last) continue;
    const Timeline& timeline = timelines[segment.tier];
    growth.covered += timeline.sums(segment.first, segment.last).covered;
    for (std::size_t series = 0; series < kKeptCount; ++series)
      if (const Tracks* tracks = life.tracks(series))
        if (const auto grown = grownBy(*tracks, kKeptMetrics[series], timeline, segment))
          sums[series] = sums[series].value_or(0) + *grown;
  }
  for (std::size_t series = 0; series < kKeptCount; ++series)
    if (sums[series]) growth.deltas.set(kKeptMetrics[series], static_cast<std::uint64_t>(std::llround(*sums[series])));
  return growth;
}

std::optional<float> valueAt(const Timelines& timelines, const Life& life, ProcessMetric metric, MonotonicTime time) {
  const Tracks* tracks = life.tracks(keptPlace(metric));
  if (tracks == nullptr) return std::nullopt;
  for (std::size_t tier = 0; tier < kTierCount; ++tier) {
    const Timeline& timeline = timelines[tier];
    std::uint32_t offset = timeline.lastAt(time);
    if (offset == timeline.size()) continue;
    if (tier == 0 && offset > 0 && !sumsAt(timeline, timeline.base() + offset).rated()) --offset;
    const bool last = offset + 1 == timeline.size();
    if (timeline[offset].start > life.last) return std::nullopt;
    if (time > timeline[offset].end && !last && timeline[offset + 1].gapBefore) return std::nullopt;
    const std::uint32_t number = timeline.base() + offset;
    const Spread value = tier == 0 ? tracks->raw.at(number) : tracks->coarse[tier - 1].at(number);
    return value.absent() ? std::nullopt : std::optional(value.mean);
  }
  return std::nullopt;
}

}  // namespace faultline
