#include "core/join/frame_join.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "core/model/frame_numbers.h"

namespace faultline {
namespace {

constexpr Nanoseconds kNoGap{1000};

// The numbers of all threads, in the order of the table: wholes come before their parts.
constexpr bool isJoined(const FrameField& row) {
  return isMean(row) || row.group == FrameGroup::Faults || row.metric == FrameMetric::TimedFaults;
}
constexpr std::uint64_t kJoined =
    frameMetricsThat([](const FrameField& row) { return row.scope == FrameScope::Game && isJoined(row); });
constexpr auto kColumns = [] {
  std::array<FrameMetric, std::popcount(kJoined)> columns{};
  std::size_t count = 0;
  for (const FrameField& row : kFrameFields)
    if ((kJoined & frameBit(row.metric)) != 0) columns.at(count++) = row.metric;
  return columns;
}();
static_assert(kColumns.front() == FrameMetric::MinorFaults);
constexpr std::uint64_t kFaults = frameBit(FrameMetric::MinorFaults) | frameBit(FrameMetric::MajorFaults);

using Counts = std::array<std::uint64_t, kColumns.size()>;

// A time in the recording, and the counts up to it.
struct Place {
  bool known = false;
  bool divided = false;  // within a slot that has faults: the counts are interpolated
  std::size_t slot = 0;
  Counts until{};
};

// All faults are timed unless their number is told.
std::uint64_t knownOf(const GameFrame& frame) {
  const bool timed = frame.values.has(FrameMetric::FaultTime);
  return frame.values.present() | (timed ? frameBit(FrameMetric::TimedFaults) : 0);
}
std::uint64_t countOf(const GameFrame& frame, FrameMetric metric) {
  return frame.get(metric).value_or(metric == FrameMetric::TimedFaults ? frame.faults() : 0);
}

// The recording as cumulative counts over time.
class Curve {
 public:
  explicit Curve(std::span<const GameFrame> recorded) {
    for (const GameFrame& frame : recorded) m_known &= knownOf(frame);
    for (std::size_t i = 0; i < kColumns.size(); ++i)
      if (((m_known | kFaults) & frameBit(kColumns.at(i))) != 0) m_columns.push_back(i);
    m_slots.reserve(recorded.size());
    for (const GameFrame& frame : recorded) {
      if (frame.duration <= Nanoseconds(0) || frame.start.sinceEpoch + frame.duration > kLatest) continue;
      if (!m_slots.empty() && frame.start.sinceEpoch < m_slots.back().end - kNoGap) continue;
      const bool gap = m_slots.empty() || frame.start.sinceEpoch > m_slots.back().end + kNoGap;
      const Nanoseconds start = gap ? frame.start.sinceEpoch : m_slots.back().end;
      const Nanoseconds end = frame.start.sinceEpoch + frame.duration;
      if (end <= start) continue;
      m_slots.push_back({start, end, m_slots.empty() ? 0 : m_slots.back().run + (gap ? 1 : 0), m_sum});
      for (const std::size_t i : m_columns) m_sum.at(i) += countOf(frame, kColumns.at(i));
    }
  }

  [[nodiscard]] std::uint64_t known() const { return m_known; }                        // a bit for each number
  [[nodiscard]] const std::vector<std::size_t>& columns() const { return m_columns; }  // those of kColumns that count

  // `starts`: the time is the start of a frame, else the end.
  [[nodiscard]] Place at(Nanoseconds time, Nanoseconds tolerance, bool starts) const {
    const auto after = std::ranges::upper_bound(m_slots, time, {}, &Slot::start);
    const auto index = static_cast<std::size_t>(after - m_slots.begin());
    if (const auto near = edge(time, index, tolerance, starts)) return *near;
    if (index == 0 || time >= m_slots[index - 1].end) return {};
    return inside(time, index - 1);
  }

  [[nodiscard]] bool meet(const Place& from, const Place& to) const {
    return from.known && to.known && m_slots[from.slot].run == m_slots[to.slot].run;
  }

 private:
  struct Slot {
    Nanoseconds start;
    Nanoseconds end;
    std::uint64_t run;  // slots of the same run have no gap between them
    Counts before;
  };

  [[nodiscard]] const Counts& until(std::size_t slot) const {
    return slot + 1 < m_slots.size() ? m_slots[slot + 1].before : m_sum;
  }

  // The start, or end, of a slot nearest to `time`, within `tolerance`.
  [[nodiscard]] std::optional<Place> edge(Nanoseconds time, std::size_t index, Nanoseconds tolerance,
                                          bool starts) const {
    std::size_t best = 0;
    Nanoseconds nearest = tolerance + Nanoseconds(1);
    for (std::size_t slot = index < 2 ? 0 : index - 2; slot < std::min(index + 2, m_slots.size()); ++slot) {
      const Nanoseconds distance = std::chrono::abs(time - (starts ? m_slots[slot].start : m_slots[slot].end));
      if (distance >= nearest) continue;
      nearest = distance;
      best = slot;
    }
    if (nearest > tolerance) return std::nullopt;
    return Place{true, false, best, starts ? m_slots[best].before : until(best)};
  }

  [[nodiscard]] Place inside(Nanoseconds time, std::size_t index) const {
    const Slot& slot = m_slots[index];
    const double share =
        static_cast<double>((time - slot.start).count()) / static_cast<double>((slot.end - slot.start).count());
    Place place{true, false, index, slot.before};
    for (const std::size_t i : m_columns) {
      const std::uint64_t count = until(index).at(i) - slot.before.at(i);
      place.until.at(i) +=
          std::min(static_cast<std::uint64_t>(std::llround(share * static_cast<double>(count))), count);
      place.divided |= count > 0;
    }
    return place;
  }

  std::vector<Slot> m_slots;
  Counts m_sum{};
  std::uint64_t m_known = kJoined;  // in all frames
  std::vector<std::size_t> m_columns;
};

}  // namespace

JoinedFrames joinFrames(std::span<const FrameSpan> log, std::span<const GameFrame> recorded,
                        const JoinOptions& options) {
  const Curve curve(recorded);
  JoinedFrames joined;
  joined.frames.reserve(log.size());
  for (std::uint64_t number = 1; const FrameSpan& span : log) {
    const Nanoseconds start = span.start + options.offset;
    const Place from = curve.at(start, options.tolerance, true);
    const Place to = curve.at(start + span.duration, options.tolerance, false);
    GameFrame frame;
    frame.number = number++;
    frame.start = {start};
    frame.duration = span.duration;
    if (!curve.meet(from, to) || from.until.front() > to.until.front()) {
      ++joined.outside;
      continue;
    }
    const auto counted = [&](std::size_t i) { return to.until.at(i) - std::min(from.until.at(i), to.until.at(i)); };
    FrameValues& values = frame.values;
    for (const std::size_t i : curve.columns()) {
      const auto& whole = field(kColumns.at(i)).whole;
      const std::uint64_t most = (whole ? values.get(*whole) : std::nullopt).value_or(UINT64_MAX);  // rounded by itself
      values.set(kColumns.at(i), std::min(counted(i), most));
    }
    if ((curve.known() & frameBit(FrameMetric::MajorFaults)) == 0) values.setFaults(frame.faults(), std::nullopt);
    values.setTimedFaults(values.get(FrameMetric::TimedFaults));
    values.clearAll(~curve.known());
    joined.divided += from.divided || to.divided ? 1 : 0;
    joined.frames.push_back(frame);
  }
  return joined;
}

}  // namespace faultline
