// FrameTally: what a while of frames comes to, in numbers and in words fit for a bug report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/frames/judge.h"

namespace faultline {

struct JudgedFrame {
  GameFrame frame;
  FrameVerdict verdict;

  // Faults have hurt it: whose they were is worth asking.
  [[nodiscard]] bool flagged() const { return verdict.costly || verdict.lateByFaults; }
};

struct FrameTally {
  std::uint64_t frames = 0;
  std::uint64_t late = 0;
  std::uint64_t lateByFaults = 0;
  std::uint64_t costly = 0;
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  Nanoseconds longest{0};
  std::optional<Nanoseconds> longestInFaults;  // of one frame; absent while no frame's time in faults is known
  std::vector<JudgedFrame> worst;  // late or costly, by what their faults cost, then by how long they lasted, the worst
                                   // first, at most kWorstFrames

  void add(const GameFrame& frame, const FrameVerdict& verdict);
};

inline constexpr std::size_t kWorstFrames = 10;

// Which of two frames comes first among the worst.
[[nodiscard]] bool worseThan(const JudgedFrame& a, const JudgedFrame& b);
// What the faults of a frame have cost, as far as is known: a time where all of them have one, else their number.
[[nodiscard]] double faultWeight(const JudgedFrame& judged);

// "12 of 8 431 frames late because of page faults; worst: frame 300, 41.2 ms, of which 31.8 ms in 8 192 faults, 97 % in
// Level::load (level.cpp:212)": `culprit` is what culpritText() says of the worst, or empty.
[[nodiscard]] std::string summaryText(const FrameTally& tally, std::string_view culprit = {});
// "Faults took more than their share of 6 of 300 assumed frames; worst: frame 50, ..."
[[nodiscard]] std::string assumedSummaryText(const FrameTally& tally, std::string_view culprit = {});
// "frame 300: 41.2 ms, 8 192 faults (4 096 in the presenting thread), 31.8 ms in them, late"
[[nodiscard]] std::string frameText(const JudgedFrame& judged);

}  // namespace faultline
