// FrameJudge: which frames of a game its page faults have hurt. Judges each frame by what it should have lasted and by
// the frames just before it; pure, in the order the frames came.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/model/game_frame.h"

namespace faultline {

struct FrameRules {
  Nanoseconds budget = std::chrono::microseconds(16'700);
  double faultShare = 0.10;            // of the budget, that faults may take
  bool timesAreTheGames = true;        // else frames have an assumed length, and none is ever late
  std::optional<double> nsPerFault{};  // of a minor fault, where their time is not measured
};

struct FrameVerdict {
  std::optional<Nanoseconds> faultTime;  // measured, or else estimated; absent where neither can be had
  bool estimated = false;
  bool costly = false;    // faults took more than their share, or far more than in the frames before (their time
                          // unknown: there were far more of them)
  bool late = false;      // notably over budget, or far longer than the frames before
  Nanoseconds excess{0};  // of a late frame: what it lasted beyond that
  // Of a late frame: the share of the excess that its faults, beyond the usual, took; those of all threads, so that it
  // is the most that they explain.
  std::optional<double> explained;
  bool lateByFaults = false;  // they took at least half of it; their time unknown: late and costly

  bool operator==(const FrameVerdict&) const = default;
};

class FrameJudge {
 public:
  explicit FrameJudge(const FrameRules& rules) : m_rules(rules) {}

  [[nodiscard]] FrameVerdict judge(const GameFrame& frame);
  void change(const FrameRules& rules) { m_rules = rules; }
  [[nodiscard]] const FrameRules& rules() const { return m_rules; }

 private:
  // The last values; what is usual is their median.
  class Recent {
   public:
    void add(double value);
    [[nodiscard]] std::optional<double> usual() const;  // absent while they are few
    // It is so many times the usual, and more than `by` above it.
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
