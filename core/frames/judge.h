// FrameJudge: finds the frames that page faults made late or costly. Compares each frame with the budget and with the
// frames just before it. Pure; frames must come in order.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/model/game_frame.h"

namespace faultline {

struct FrameRules {
  Nanoseconds budget = std::chrono::microseconds(16'700);
  double faultShare = 0.10;            // share of the budget that faults may take
  bool timesAreMeasured = true;        // else frames have an assumed length and are never late
  std::optional<double> nsPerFault{};  // cost of a minor fault in ns, if their time is not measured
};

struct FrameVerdict {
  std::optional<Nanoseconds> faultTime;  // measured or estimated; absent if neither is possible
  bool estimated = false;
  // Faults took more than their share, or far more time than in the frames before (if the time is unknown: far more
  // faults).
  bool costly = false;
  bool late = false;      // well over budget, or far longer than the frames before
  Nanoseconds excess{0};  // of a late frame: time beyond the budget or the usual
  // Of a late frame: share of the excess taken by its unusual faults. Counts the faults of all threads, so it is an
  // upper bound.
  std::optional<double> explained;
  bool lateByFaults = false;  // faults explain at least half of the excess; if their time is unknown: late and costly

  bool operator==(const FrameVerdict&) const = default;
};

class FrameJudge {
 public:
  explicit FrameJudge(const FrameRules& rules) : m_rules(rules) {}

  [[nodiscard]] FrameVerdict judge(const GameFrame& frame);
  void change(const FrameRules& rules) { m_rules = rules; }
  [[nodiscard]] const FrameRules& rules() const { return m_rules; }

 private:
  // The most recent values; the usual value is their median.
  class Recent {
   public:
    void add(double value);
    [[nodiscard]] std::optional<double> usual() const;  // absent if there are too few values
    // Whether `value` exceeds `times` the usual value, and exceeds the usual value by more than `by`.
    [[nodiscard]] bool standsOut(double value, double times, double by) const;

   private:
    static constexpr std::size_t kKept = 64;
    std::array<double, kKept> m_values{};
    std::size_t m_count = 0;
  };

  void judgeTime(const GameFrame& frame, FrameVerdict& verdict) const;

  FrameRules m_rules;
  Recent m_durations;
  Recent m_faults;
  Recent m_faultTimes;
};

}  // namespace faultline
