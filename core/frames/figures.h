// FrameSum: all frames of one run or watch: their tally, their durations, and the figures that `faultline-cli try
// --frames` compares; and the median of each figure over runs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/frames/tally.h"
#include "core/model/frame_numbers.h"

namespace faultline {

// Times are in ns.
struct FrameFigures {
  double frames = 0;
  double late = 0;          // share of the frames
  double lateByMemory = 0;  // the same: because of faults or of giving memory back
  double faults = 0;        // of a frame
  double majorFaults = 0;   // of those
  double mean = 0;          // duration
  double p50 = 0;
  double p99 = 0;
  double low = 0;                         // frames per second over the slowest 1 %
  std::optional<double> inFaultsAbout{};  // in place of FaultTime: with estimates, by the cost of a minor fault here
  // By FrameMetric, of the rows that isMean() names: means of the frames for which they are known. Absent unless those
  // are half of the frames: the first frames pass before they can be measured.
  std::array<std::optional<double>, kFrameMetricCount> means{};

  bool operator==(const FrameFigures&) const = default;
  [[nodiscard]] const std::optional<double>& of(FrameMetric metric) const {
    return means.at(static_cast<std::size_t>(metric));
  }
  [[nodiscard]] std::optional<double>& of(FrameMetric metric) { return means.at(static_cast<std::size_t>(metric)); }
};

class FrameSum {
 public:
  void add(const GameFrame& frame, const FrameVerdict& verdict);
  void add(const JudgedFrame& judged) { add(judged.frame, judged.verdict); }
  [[nodiscard]] const FrameTally& tally() const { return m_tally; }
  [[nodiscard]] std::vector<double> durations() const;  // ns, the shortest first
  // Absent: there were no frames.
  [[nodiscard]] std::optional<FrameFigures> figures() const;

 private:
  struct Known {
    double sum = 0;
    std::uint64_t frames = 0;

    void add(double value) {
      sum += value;
      ++frames;
    }
    [[nodiscard]] std::optional<double> mean(std::uint64_t all) const {
      return 2 * frames >= all ? std::optional(sum / static_cast<double>(frames)) : std::nullopt;
    }
  };

  FrameTally m_tally;
  Known m_inFaultsAbout;
  std::array<Known, kFrameMetricCount> m_known;
  std::vector<double> m_durations;
};

// Absent: there are no runs.
[[nodiscard]] std::optional<FrameFigures> medianFigures(std::span<const FrameFigures> runs);

}  // namespace faultline
