// The frames of one run, in the figures that `faultline-cli try --frames` compares.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/frames/tally.h"

namespace faultline {

// Times are in ns. Those of memory, and the zeroed bytes, are means of the frames for which they are known, all threads
// together. They are absent unless those are half of the frames: the first frames pass before they can be measured.
struct FrameFigures {
  std::uint64_t frames = 0;
  std::uint64_t late = 0;
  std::uint64_t lateByMemory = 0;  // because of faults or of giving memory back
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  double mean = 0;  // duration
  double p50 = 0;
  double p99 = 0;
  double low = 0;  // frames per second over the slowest 1 %
  std::optional<double> inFaults{};
  std::optional<double> inFaultsAbout{};  // in place of inFaults: with estimates, by the cost of a minor fault here
  std::optional<double> teardown{};
  std::optional<double> zeroedBytes{};

  bool operator==(const FrameFigures&) const = default;
  [[nodiscard]] double faultsPerFrame() const {
    return static_cast<double>(minorFaults + majorFaults) / static_cast<double>(frames);
  }
};

class FrameSum {
 public:
  void add(const JudgedFrame& judged);
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

  FrameFigures m_counts;
  Known m_durations, m_inFaults, m_inFaultsAbout, m_teardown, m_zeroedBytes;
  std::vector<double> m_all;  // durations
};

}  // namespace faultline
