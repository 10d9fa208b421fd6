// FrameVerdict: whether a frame was late, by how much, and whether memory made it so. FrameJudge decides it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "core/model/game_frame.h"

namespace faultline {

inline constexpr Nanoseconds kDefaultBudget = std::chrono::microseconds(16'700);
// By definition of "most": of a frame's excess, or of the time by which it outgrew the usual.
inline constexpr double kMostOfExcess = 0.5;

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
  // Of faults and of giving memory back, on the frame's path; absent if faults may be those of other threads.
  std::optional<Nanoseconds> pathTime{};
  // Faults on its path, or of all threads where the path is unknown, took more than their share, or far more time than
  // in the frames before (if the time is unknown: far more faults).
  bool costly = false;
  std::optional<FrameDeadline> deadline{};  // absent for frames of an assumed length
  bool late = false;                        // beyond the deadline, or far longer than the frames before
  Nanoseconds excess{0};                    // of a late frame: time beyond the deadline or the usual
  // Of a late frame: share of the excess that would not be with the usual time for memory, without the waits for a
  // processor that come with it. Of faults whose thread is unknown it is an upper bound. Absent also where most of the
  // excess would not be, but that is less than frames vary by, and where faults of other threads, or from a disk,
  // perhaps made the frame late.
  std::optional<double> explained{};
  double withWaits = 0;  // see explainedWithWaits()
  bool lateByFaults = false;
  bool lateByTeardown = false;  // because of giving memory back
  // For other reasons, or because of giving memory back: the thread ran for longer, and the time of that is unknown.
  bool perhapsByTeardown = false;
  // The same of faults: their time is not measured, as of pages populated in advance, or they are of other threads, and
  // nothing tells whether the thread waited for these.
  bool perhapsByFaults = false;
  bool likely = false;             // late by either, by an estimate or in most part
  bool perhapsByWatching = false;  // likely: in time without what cannot be timed of its faults, such as watching them
  bool lateBySampling = false;     // for other reasons: in time without what Faultline spent on samples of its faults

  [[nodiscard]] bool lateByMemory() const { return lateByFaults || lateByTeardown; }
  // On the frame's path if that is known, else in faults.
  [[nodiscard]] std::optional<Nanoseconds> memoryTime() const { return pathTime ? pathTime : faultTime; }
  // The same share with the waits for a processor that come with that time: by it the frame is judged.
  [[nodiscard]] std::optional<double> explainedWithWaits() const {
    return explained ? std::optional(std::max(*explained, withWaits)) : std::nullopt;
  }
  // Most of the excess is memory's, and the frame had been late without it.
  [[nodiscard]] bool lateWithoutMemory() const {
    return !lateByMemory() && !perhapsByFaults && explainedWithWaits().value_or(0) >= kMostOfExcess;
  }
  bool operator==(const FrameVerdict&) const = default;
};

struct JudgedFrame {
  GameFrame frame;
  FrameVerdict verdict;

  // Hurt by faults: its culprits are of interest.
  [[nodiscard]] bool flagged() const { return verdict.costly || verdict.lateByFaults; }
  // The same, unless late for other reasons: has a mark where frames are drawn.
  [[nodiscard]] bool marked() const { return verdict.lateByMemory() || (verdict.costly && !verdict.late); }
};

}  // namespace faultline
