// FrameJudge: finds the frames that memory made late, or that page faults made costly. Pure; frames must come in order.
//
// The deadline is the budget, unless the game keeps a cadence of its own: its frames last about the same or a multiple
// of that, and its thread sleeps in them or their rate is a common one. A frame is late because of memory if without
// its page faults, without giving memory back, and without the waiting for a processor that these caused, it would have
// met its deadline; and probably if most of the time by which the frame outgrew the usual was theirs. The larger of the
// two is told as the reason. Waiting is shared between these and the rest by the time that they took on a processor. In
// a game that keeps a cadence a frame may be late though its thread slept: the slot in which it could have been shown
// had passed. A delay that was added to faults of the thread, on request, is no part of a frame. Faults without a
// measured time count at an assumed cost, and those with one take a little more than it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/frames/recent.h"
#include "core/model/game_frame.h"

namespace faultline {

inline constexpr Nanoseconds kDefaultBudget = std::chrono::microseconds(16'700);

struct FrameRules {
  Nanoseconds budget = kDefaultBudget;  // any other value is kept, whatever the game's cadence
  double faultShare = 0.10;             // share of the budget that faults may take
  bool timesAreMeasured = true;         // else frames have an assumed length and are never late
  std::optional<double> nsPerFault{};   // cost of a minor fault in ns, where its time is not measured
};

enum class DeadlineBy : std::uint8_t {
  Default,  // kDefaultBudget: no cadence was found, and most frames are shorter
  Given,    // the budget that a person has set
  Cadence,  // the game's own: it waits for slots of equal length, such as those of the display
  Usual,    // of a game without a cadence: most of its frames exceed the default budget
};

struct FrameDeadline {
  Nanoseconds after{0};  // the frame's start
  DeadlineBy by = DeadlineBy::Default;

  bool operator==(const FrameDeadline&) const = default;
};

struct FrameVerdict {
  std::optional<Nanoseconds> faultTime;  // of all threads, measured or estimated; absent if neither is possible
  bool estimated = false;
  // Faults took more than their share, or far more time than in the frames before (if the time is unknown: far more
  // faults).
  bool costly = false;
  std::optional<FrameDeadline> deadline{};  // absent for frames of an assumed length
  bool late = false;                        // beyond the deadline, or far longer than the frames before
  Nanoseconds excess{0};                    // of a late frame: time beyond the deadline or the usual
  // Of a late frame: share of the excess that would not be without its faults and without giving memory back. Of faults
  // whose thread is unknown it is an upper bound.
  std::optional<double> explained;
  bool lateByFaults = false;
  bool lateByTeardown = false;  // because of giving memory back
  // For other reasons, or because of giving memory back: the thread ran for longer, and the time of that is unknown.
  bool perhapsByTeardown = false;
  // For other reasons, or because of its faults without a measured time, such as those of pages populated in advance:
  // at several times their assumed cost these would explain it.
  bool perhapsByFaults = false;
  bool likely = false;  // late by either, concluded from more than the thread's own time

  [[nodiscard]] bool lateByMemory() const { return lateByFaults || lateByTeardown; }
  bool operator==(const FrameVerdict&) const = default;
};

class FrameJudge {
 public:
  explicit FrameJudge(const FrameRules& rules) : m_rules(rules) {}

  [[nodiscard]] FrameVerdict judge(const GameFrame& frame);
  void change(const FrameRules& rules) { m_rules = rules; }
  [[nodiscard]] const FrameRules& rules() const { return m_rules; }
  [[nodiscard]] std::optional<double> usualDuration() const { return m_durations.usual(); }  // ns
  [[nodiscard]] bool paced() const { return deadline().paced; }                              // the game keeps a cadence

 private:
  struct Deadline {
    double at = 0;      // ns after the frame's start
    double latest = 0;  // with what is tolerated
    bool paced = false;
    DeadlineBy by = DeadlineBy::Default;
  };
  // A frame in ns, as its presenting thread spent it.
  struct Spent {
    double lasted = 0;
    double inFaults = 0;
    double inTeardown = 0;  // giving memory back
    double byMemory = 0;    // in both, and waiting for a processor because of them
    double estimated = 0;   // of inFaults
    double unseen = 0;      // of running: the parts of measured faults that no program can time
    double waiting = 0;     // for a processor, for other reasons
    double sleeping = 0;
    double running = 0;
    double ofOthers = 0;    // inside the faults of other threads
    bool measured = false;  // the thread's own time
    bool timed = false;     // and that of its faults
    bool teardownKnown = false;

    [[nodiscard]] double inMemory() const { return inFaults + inTeardown; }
  };

  [[nodiscard]] std::optional<Nanoseconds> costOf(const GameFrame& frame) const;
  [[nodiscard]] static double ownUntimed(const GameFrame& frame);
  [[nodiscard]] double ownUntimedCost(const GameFrame& frame) const;
  [[nodiscard]] Spent spentIn(const GameFrame& frame, std::optional<Nanoseconds> cost) const;
  [[nodiscard]] Deadline deadline() const;
  [[nodiscard]] std::optional<double> cadence(double usual) const;
  [[nodiscard]] bool standsOut(double lasted) const;
  void judgeTime(const Spent& spent, FrameVerdict& verdict) const;
  [[nodiscard]] bool mayBeFaults(const Spent& spent, const Deadline& deadline, bool over) const;
  [[nodiscard]] bool mayBeTeardown(const Spent& spent, bool paced) const;
  void blameGrowth(const Spent& spent, double excess, bool paced, FrameVerdict& verdict) const;
  void remember(const GameFrame& frame, const Spent& spent, const FrameVerdict& verdict);

  FrameRules m_rules;
  Recent m_durations, m_faults, m_faultTimes;
  Recent m_byMemory, m_waiting, m_sleeping, m_running;
  Recent m_ofOthers;  // share of the frame
};

}  // namespace faultline
