// DelayStudy: what page faults really cost the frames of a game, from the delay that its collector adds to the faults
// in alternate stretches of frames. Of a frame whose thread's own time is known, waiting for a processor does not
// count. A game that keeps a cadence hides a delay in the sleep before its next slot: there sleep does not count, but
// waits for a futex may, which mostly are for other threads. That such a wait grows with the delays shows that it is
// one for other threads; where it does not, it is taken as a part of the sleep.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "core/delay/pair_slope.h"
#include "core/model/game_frame.h"

namespace faultline {

// The share of the time in faults that a frame pays: of the faults of all threads together.
struct PaidShare {
  PairSlope slope;
  // In a game that keeps a cadence most delays were in other threads: a wait for these is seen only if it is by
  // a futex, and not for the processor that they have.
  bool atLeast = false;

  // Within 0 to 1.
  [[nodiscard]] double share() const;
  bool operator==(const PaidShare&) const = default;
};

struct DelayTotals {
  std::uint64_t frames = 0;  // in both kinds of stretches
  std::uint64_t delayed = 0;
  Nanoseconds added{0};  // in all threads
  Nanoseconds own{0};    // of that in the threads that ended the frames
};

class DelayStudy {
 public:
  void add(const GameFrame& frame);

  [[nodiscard]] const DelayTotals& totals() const { return m_totals; }
  // `paced`: the game keeps a cadence. Absent: too few pairs of stretches, or too few delays in them, to tell; or
  // scatters().
  [[nodiscard]] std::optional<PaidShare> paid(bool paced) const;
  // The frames differ so much, whether delayed or not, that the interval is too wide to tell anything.
  [[nodiscard]] bool scatters(bool paced) const;

 private:
  struct Pair {
    std::uint64_t number = 0;
    PairSums lasted;    // all but waiting for a processor
    PairSums busy;      // without sleep
    PairSums awaiting;  // without sleep other than for a futex
  };
  [[nodiscard]] std::optional<PaidShare> estimate(bool paced) const;
  [[nodiscard]] std::optional<PairSlope> slope(PairSums Pair::* of) const;

  DelayTotals m_totals;
  bool m_ownTime = true;     // of all frames' threads
  std::deque<Pair> m_pairs;  // the latest
};

}  // namespace faultline
