#include "core/monitor/history_query.h"

#include <algorithm>

namespace faultline {
namespace {

using Timelines = std::array<Timeline, kTierCount>;

struct Segment {
  std::size_t tier = 0;
  std::uint32_t first = 0;  // slot numbers [first, last)
  std::uint32_t last = 0;
};

// Slots that are looked at for each column asked for, before a coarser tier must do.
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
    if (all.last - all.first <= kSlotsPerColumn * (columns + 8)) break;
    ++tier;
  }
  return tier;
}

// Oldest first. Buckets nest, so that no moment is in two segments and none is left out.
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

// Merges slots into the columns of a range.
class Columns {
 public:
  explicit Columns(const TimeRange& range) : m_range(range) {
    m_width = std::max(Nanoseconds{1}, (range.to - range.from) / static_cast<std::int64_t>(range.columns));
  }

  void add(const Slot& slot, const Spread& value, bool gap) {
    if (m_buckets.empty() || slot.start >= m_columnEnd) open(slot, value, gap || m_buckets.empty());
    else merge(slot, value);
  }
  [[nodiscard]] std::vector<Bucket> take() {
    finish();
    return std::move(m_buckets);
  }

 private:
  void open(const Slot& slot, const Spread& value, bool gap) {
    finish();
    const std::int64_t column = slot.start < m_range.from ? 0 : (slot.start - m_range.from) / m_width;
    m_columnEnd = m_range.from + (column + 1) * m_width;
    m_buckets.push_back({slot.start, slot.end, value.min, value.mean, value.max, gap});
    m_sum = static_cast<double>(value.mean) * slot.moments;
    m_weight = slot.moments;
  }
  void merge(const Slot& slot, const Spread& value) {
    Bucket& bucket = m_buckets.back();
    bucket.end = slot.end;
    bucket.min = std::min(bucket.min, value.min);
    bucket.max = std::max(bucket.max, value.max);
    m_sum += static_cast<double>(value.mean) * slot.moments;
    m_weight += slot.moments;
  }
  void finish() {
    if (m_buckets.empty()) return;
    Bucket& bucket = m_buckets.back();
    bucket.mean = std::clamp(static_cast<float>(m_sum / m_weight), bucket.min, bucket.max);
  }

  TimeRange m_range;
  Nanoseconds m_width;
  MonotonicTime m_columnEnd;
  double m_sum = 0;
  double m_weight = 0;
  std::vector<Bucket> m_buckets;
};

template <class Run>
void addSegment(const Timeline& timeline, const Track<Run>& track, const Segment& segment, bool& broken,
                Columns& columns) {
  std::uint32_t expected = segment.first;
  track.visit(segment.first, segment.last, [&](std::uint32_t begin, std::uint32_t end, const Spread& value) {
    if (begin != expected) broken = true;
    for (std::uint32_t number = begin; number != end; ++number) {
      const Slot& slot = timeline.numbered(number);
      columns.add(slot, value, broken || slot.gapBefore);
      broken = false;
    }
    expected = end;
  });
  if (expected != segment.last) broken = true;
}

}  // namespace

std::vector<Bucket> bucketsOf(const Timelines& timelines, const Life& life, Series series, const TimeRange& range) {
  if (range.to < range.from || range.columns == 0) return {};
  const auto i = static_cast<std::size_t>(series);
  Columns columns(range);
  bool broken = true;
  for (const Segment& segment : segmentsOf(timelines, range, chooseTier(timelines, range, range.columns))) {
    const Timeline& timeline = timelines[segment.tier];
    if (segment.tier == 0) addSegment(timeline, life.raw[i], segment, broken, columns);
    else addSegment(timeline, life.coarse[segment.tier - 1][i], segment, broken, columns);
  }
  return columns.take();
}

std::optional<float> valueAt(const Timelines& timelines, const Life& life, Series series, MonotonicTime time) {
  const auto i = static_cast<std::size_t>(series);
  for (std::size_t tier = 0; tier < kTierCount; ++tier) {
    const Timeline& timeline = timelines[tier];
    const std::uint32_t offset = timeline.lastAt(time);
    if (offset == timeline.size()) continue;
    const bool last = offset + 1 == timeline.size();
    if (time > timeline[offset].end && !last && timeline[offset + 1].gapBefore) return std::nullopt;
    const std::uint32_t number = timeline.base() + offset;
    const Spread value = tier == 0 ? life.raw[i].at(number) : life.coarse[tier - 1][i].at(number);
    return value.absent() ? std::nullopt : std::optional(value.mean);
  }
  return std::nullopt;
}

}  // namespace faultline
