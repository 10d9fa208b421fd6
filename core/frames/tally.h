// FrameTally: totals of a series of frames, and their texts for the user.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/frames/judge.h"

namespace faultline {

struct FrameTally {
  std::uint64_t frames = 0;
  std::uint64_t late = 0;
  std::uint64_t lateByFaults = 0;
  std::uint64_t likely = 0;  // of lateByFaults
  std::uint64_t lateByTeardown = 0;
  std::uint64_t perhapsByTeardown = 0;
  std::uint64_t perhapsByFaults = 0;
  std::uint64_t lateBySampling = 0;
  std::uint64_t perhapsByWatching = 0;  // of lateByFaults
  std::uint64_t costly = 0;
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  // Of those late for other reasons: frames whose thread waited for a processor for most of their lateness while one
  // program ran there, by its name; of the first 64 programs.
  std::map<std::string, std::uint64_t> lateBehind;
  Nanoseconds longest{0};
  std::optional<FrameDeadline> deadline;       // of the last frame
  std::optional<Nanoseconds> longestInFaults;  // of one frame; absent if unknown for all
  std::optional<Nanoseconds> longestOnPath;    // the same, of FrameVerdict::pathTime
  // Late or costly frames with faults, and those late because of giving memory back, in the order of worseThan(), at
  // most kWorstFrames.
  std::vector<JudgedFrame> worst;

  void add(const GameFrame& frame, const FrameVerdict& verdict);
};

inline constexpr std::size_t kWorstFrames = 10;

// Order of the worst frames: late because of faults first, then because of giving memory back, then perhaps because of
// faults, then by faultWeight(), then by duration.
[[nodiscard]] bool worseThan(const JudgedFrame& a, const JudgedFrame& b);
// Cost of a frame's faults: ns on its path if that is known, else in all threads, else their number.
[[nodiscard]] double faultWeight(const JudgedFrame& judged);

// "12 of 8 431 frames late because of page faults; worst: frame 300, 41.2 ms, of which 31.8 ms in 8 192 faults, 97 % in
// Level::load (level.cpp:212); 3 late because of giving memory back; 9 late for other reasons (5 while cc1plus ran
// on their processor; 2 perhaps because of giving memory back, whose time is unavailable; 1 perhaps because of page
// faults, whose part in it is unknown)". `culprit` is the culpritText() of the worst frame, or empty. `paid`: share of
// the time in faults that the frames pay, if known: "of which 31.8 ms in 8 192 faults, of which the frame pays 30.5
// ms".
[[nodiscard]] std::string summaryText(const FrameTally& tally, std::string_view culprit = {},
                                      std::optional<double> paid = {});
// "Faults took more than their share of 6 of 300 assumed frames; worst: frame 50, ..."
[[nodiscard]] std::string assumedSummaryText(const FrameTally& tally, std::string_view culprit = {});
// "28.6 ms, the cadence of the game itself"
[[nodiscard]] std::string deadlineText(const FrameDeadline& deadline);
[[nodiscard]] std::string_view deadlineBy(const FrameDeadline& deadline);  // "cadence"
[[nodiscard]] const char* frameTitle(const FrameVerdict& verdict);         // "frame, late"
// Of a late frame that has a share: "97 % of it by faults", or "80 % of it by faults and the waits for a processor that
// came with them (29 % by faults alone)", where most is theirs and not why: ", but late without them, too".
[[nodiscard]] std::string shareText(const FrameVerdict& verdict);
// "frame 300: 41.2 ms, 8 192 faults (4 096 in the presenting thread), 31.8 ms in them, late"
[[nodiscard]] std::string frameText(const JudgedFrame& judged);

}  // namespace faultline
