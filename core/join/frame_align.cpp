#include "core/join/frame_align.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/median.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMinFrames = 32;  // frames; fewer are not enough to be sure
constexpr std::size_t kWindow = 256;    // frames of the log compared at each position
constexpr std::size_t kWindows = 4;     // parts of the log; at least one should overlap the recording
constexpr double kMinExplained = 0.5;
constexpr double kMinLead = 0.25;      // the second-best score must be lower by this much
constexpr Nanoseconds kSlack = 100us;  // two tools may note the same frame this far apart
constexpr Nanoseconds kSameLength = 500us;

struct Recorded {
  Nanoseconds end;
  Nanoseconds duration;
};

struct Found {
  Nanoseconds offset{0};
  double score = -std::numeric_limits<double>::infinity();
};

// Comparison of part of the log with the recording at one position.
struct Match {
  double left = 0;   // remaining difference of durations
  double there = 0;  // variation of the durations themselves
  std::uint64_t compared = 0;
  std::uint64_t matched = 0;
  std::vector<Nanoseconds> distances;  // from the ends in the log to the recorded ends; filled on request

  [[nodiscard]] double explained() const { return there > 0 ? 1 - left / there : 0; }
};

class Aligner {
 public:
  Aligner(std::span<const FrameSpan> log, std::span<const GameFrame> recorded) : m_log(log) {
    for (const GameFrame& frame : recorded)
      if (frame.start.sinceEpoch + frame.duration < kLatest)
        m_recorded.push_back({frame.start.sinceEpoch + frame.duration, frame.duration});
    std::ranges::sort(m_recorded, {}, &Recorded::end);
    std::vector<Nanoseconds> durations;
    for (const FrameSpan& span : log) durations.push_back(span.duration);
    m_usual = median(durations).value_or(0ns);
    for (Nanoseconds& duration : durations) duration = std::chrono::abs(duration - m_usual);
    m_most = 4 * std::min(median(std::move(durations)).value_or(0ns), kLatest / 4) + kSlack;
  }

  [[nodiscard]] bool empty() const { return m_recorded.empty(); }

  [[nodiscard]] Match match(std::span<const FrameSpan> log, Nanoseconds offset, bool distances) const {
    Match match;
    const Nanoseconds first = m_recorded.front().end - m_recorded.front().duration - offset;
    const Nanoseconds last = m_recorded.back().end - offset;
    auto near = std::ranges::lower_bound(m_recorded, log.front().end() + offset, {}, &Recorded::end);
    for (const FrameSpan& span : log) {
      if (span.end() <= first || span.end() > last + m_usual / 2) continue;
      const Nanoseconds end = span.end() + offset;
      while (near != m_recorded.end() && near->end < end) ++near;
      compare(span, end, nearer(near, end), match, distances);
    }
    return match;
  }

  // The best position for part of the log, and the best one that differs from it.
  [[nodiscard]] std::pair<Found, Found> search(std::span<const FrameSpan> window) const {
    const auto key = std::ranges::max_element(window, {}, &FrameSpan::duration);
    std::vector<Found> all;
    for (const Recorded& candidate : m_recorded) {
      if (std::chrono::abs(candidate.duration - key->duration) > std::max(kSameLength, key->duration / 20)) continue;
      const Nanoseconds offset = candidate.end - key->end();
      const Match there = match(window, offset, false);
      if (there.compared >= std::min(kMinFrames, window.size())) all.push_back({offset, there.explained()});
    }
    Found best;
    Found second;
    for (const Found& found : all)
      if (found.score > best.score) best = found;
    for (const Found& found : all)
      if (std::chrono::abs(found.offset - best.offset) > m_usual / 2 && found.score > second.score) second = found;
    return {best, second};
  }

  [[nodiscard]] std::span<const FrameSpan> window(std::size_t index) const {
    const std::size_t part = m_log.size() / kWindows;
    const auto stretch = m_log.subspan(index * part, part);
    const auto longest = std::ranges::max_element(stretch, {}, &FrameSpan::duration) - stretch.begin();
    const auto at = index * part + static_cast<std::size_t>(longest);
    const std::size_t size = std::min(kWindow, m_log.size());
    const std::size_t from = std::min(at > size / 2 ? at - size / 2 : 0, m_log.size() - size);
    return m_log.subspan(from, size);
  }

 private:
  using Place = std::vector<Recorded>::const_iterator;

  [[nodiscard]] Place nearer(Place place, Nanoseconds end) const {
    if (place == m_recorded.end()) return place - 1;
    if (place != m_recorded.begin() && end - (place - 1)->end < place->end - end) return place - 1;
    return place;
  }

  void compare(const FrameSpan& span, Nanoseconds end, Place near, Match& match, bool distances) const {
    const Nanoseconds apart = near->end - end;
    const Nanoseconds difference = std::chrono::abs(near->duration - span.duration);
    const bool same = std::chrono::abs(apart) < m_usual / 2;
    ++match.compared;
    match.matched += same && difference < m_most ? 1 : 0;
    match.left += static_cast<double>((same ? std::min(difference, m_most) : m_most).count());
    match.there += static_cast<double>(std::min(std::chrono::abs(span.duration - m_usual), m_most).count());
    if (distances && same) match.distances.push_back(apart);
  }

  std::span<const FrameSpan> m_log;
  std::vector<Recorded> m_recorded;
  Nanoseconds m_usual{0};
  Nanoseconds m_most{0};  // limit for differences of durations: a few long frames must not decide alone
};

FrameAlignment measured(const Aligner& aligner, std::span<const FrameSpan> log, Nanoseconds offset) {
  Match whole = aligner.match(log, offset, true);
  for (Nanoseconds& distance : whole.distances) distance = std::chrono::abs(distance);
  return {.offset = offset,
          .deviation = median(std::move(whole.distances)).value_or(0ns),
          .explained = whole.explained(),
          .compared = whole.compared,
          .matched = whole.matched};
}

Result<FrameAlignment> accepted(const Aligner& aligner, std::span<const FrameSpan> log, Found best, double runnerUp) {
  const Nanoseconds middle = median(aligner.match(log, best.offset, true).distances).value_or(0ns);
  FrameAlignment found = measured(aligner, log, best.offset + middle);
  found.runnerUp = runnerUp;
  if (found.compared < kMinFrames || found.explained < kMinExplained)
    return fail(fmt::format(
        "At the best position of the log in the recording, only {} of {} frames last as long as the recorded ones. Are "
        "both of the same game and the same time?",
        formatCount(found.matched), formatCount(found.compared)));
  if (runnerUp > std::min(best.score, found.explained) - kMinLead)
    return fail("The log fits several positions in the recording equally well: its frames are too similar.");
  return found;
}

}  // namespace

Result<FrameAlignment> alignFrames(std::span<const FrameSpan> log, std::span<const GameFrame> recorded) {
  if (log.size() < kMinFrames || recorded.size() < kMinFrames)
    return fail(fmt::format("The log has {} frames and the recording {}: too few to align them.",
                            formatCount(log.size()), formatCount(recorded.size())));
  const Aligner aligner(log, recorded);
  if (aligner.empty()) return fail("The recording has no frame with a valid time.");
  Found best;
  Found second;
  for (std::size_t i = 0; i < kWindows; ++i) {
    const auto [first, next] = aligner.search(aligner.window(i));
    if (first.score <= best.score) continue;
    best = first;
    second = next;
  }
  if (best.score == Found().score)
    return fail(
        "No frame of the recording is as long as the longest frames of the log. Are both of the same game and "
        "the same time?");
  return accepted(aligner, log, best, std::max(second.score, -1.0));
}

FrameAlignment fitAt(std::span<const FrameSpan> log, std::span<const GameFrame> recorded, Nanoseconds offset) {
  const Aligner aligner(log, recorded);
  return aligner.empty() || log.empty() ? FrameAlignment{.offset = offset} : measured(aligner, log, offset);
}

}  // namespace faultline
