#include "core/join/frame_join.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace faultline {
namespace {

constexpr std::size_t kColumns = 4;
constexpr Nanoseconds kNoGap{1000};

struct Counts {
  std::array<std::uint64_t, kColumns> of{};  // minor, major, zeroed bytes, ns in faults
};

// A time in the recording, and the counts up to it.
struct Place {
  bool known = false;
  bool divided = false;  // within a slot that has faults: the counts are interpolated
  std::size_t slot = 0;
  Counts until;
};

Counts countsOf(const GameFrame& frame) {
  return {{frame.minorFaults(), frame.majorFaults().value_or(0), frame.get(FrameMetric::ZeroedBytes).value_or(0),
           static_cast<std::uint64_t>(frame.time(FrameMetric::FaultTime).value_or(Nanoseconds(0)).count())}};
}

// The recording as cumulative counts over time.
class Curve {
 public:
  explicit Curve(std::span<const GameFrame> recorded) {
    for (const GameFrame& frame : recorded) {
      if (frame.duration <= Nanoseconds(0) || frame.start.sinceEpoch + frame.duration > kLatest) continue;
      if (!m_slots.empty() && frame.start.sinceEpoch < m_slots.back().end - kNoGap) continue;
      const bool gap = m_slots.empty() || frame.start.sinceEpoch > m_slots.back().end + kNoGap;
      const Nanoseconds start = gap ? frame.start.sinceEpoch : m_slots.back().end;
      const Nanoseconds end = frame.start.sinceEpoch + frame.duration;
      if (end <= start) continue;
      m_slots.push_back({start, end, m_slots.empty() ? 0 : m_slots.back().run + (gap ? 1 : 0), m_sum, countsOf(frame)});
      for (std::size_t i = 0; i < kColumns; ++i) m_sum.of.at(i) += m_slots.back().counts.of.at(i);
      m_toldApart &= frame.majorFaults().has_value();
      m_zeroed &= frame.get(FrameMetric::ZeroedBytes).has_value();
      m_timed &= frame.time(FrameMetric::FaultTime).has_value();
    }
  }

  [[nodiscard]] bool toldApart() const { return m_toldApart; }  // minor and major faults
  [[nodiscard]] bool zeroed() const { return m_zeroed; }
  [[nodiscard]] bool timed() const { return m_timed; }

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
    Counts counts;
  };

  // The start, or end, of a slot nearest to `time`, within `tolerance`.
  [[nodiscard]] std::optional<Place> edge(Nanoseconds time, std::size_t index, Nanoseconds tolerance,
                                          bool starts) const {
    std::optional<Place> best;
    Nanoseconds nearest = tolerance + Nanoseconds(1);
    const auto offer = [&](Nanoseconds distance, std::size_t slot, bool atEnd) {
      distance = std::chrono::abs(distance);
      if (distance >= nearest) return;
      nearest = distance;
      best = Place{true, false, slot, m_slots[slot].before};
      for (std::size_t i = 0; atEnd && i < kColumns; ++i) best->until.of.at(i) += m_slots[slot].counts.of.at(i);
    };
    for (std::size_t slot = index < 2 ? 0 : index - 2; slot < std::min(index + 2, m_slots.size()); ++slot)
      offer(time - (starts ? m_slots[slot].start : m_slots[slot].end), slot, !starts);
    return best;
  }

  [[nodiscard]] Place inside(Nanoseconds time, std::size_t index) const {
    const Slot& slot = m_slots[index];
    const double share =
        static_cast<double>((time - slot.start).count()) / static_cast<double>((slot.end - slot.start).count());
    Place place{true, false, index, slot.before};
    for (std::size_t i = 0; i < kColumns; ++i) {
      const double part = share * static_cast<double>(slot.counts.of.at(i));
      place.until.of.at(i) += std::min(static_cast<std::uint64_t>(std::llround(part)), slot.counts.of.at(i));
      place.divided |= slot.counts.of.at(i) > 0;
    }
    return place;
  }

  std::vector<Slot> m_slots;
  Counts m_sum;
  bool m_toldApart = true;
  bool m_zeroed = true;
  bool m_timed = true;
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
    if (!curve.meet(from, to) || from.until.of[0] > to.until.of[0]) {
      ++joined.outside;
      continue;
    }
    const auto counted = [&](std::size_t i) {
      return to.until.of.at(i) - std::min(from.until.of.at(i), to.until.of.at(i));
    };
    const std::uint64_t major = counted(1);
    if (curve.toldApart()) frame.values.setFaults(counted(0), major);
    else frame.values.setFaults(counted(0) + major, std::nullopt);
    if (curve.zeroed()) frame.values.set(FrameMetric::ZeroedBytes, counted(2));
    if (curve.timed()) frame.values.set(FrameMetric::FaultTime, Nanoseconds(static_cast<std::int64_t>(counted(3))));
    joined.divided += from.divided || to.divided ? 1 : 0;
    joined.frames.push_back(frame);
  }
  return joined;
}

}  // namespace faultline
