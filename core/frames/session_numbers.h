// The table of a session's counts and losses (SessionTotals), in the order of the summary in JSON. Terminal, window and
// JSON follow it. Where there are words, a loss that is not 0 is told.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/frames/game_session.h"

namespace faultline {

struct SessionNumber {
  std::string_view name;  // in JSON
  std::optional<std::uint64_t> (*of)(const SessionTotals& totals);
  // Both with {0} for the number; also {samples}, {all_samples}, {unseen} and {unseen_frames}.
  std::string_view brief = {};     // in a line of the window
  std::string_view sentence = {};  // in a report
};

inline constexpr auto kSessionNumbers = [] {
  using Totals = const SessionTotals&;
  using Number = std::optional<std::uint64_t>;
  return std::to_array<SessionNumber>({
      {"faults_after_last", [](Totals totals) { return totals.faultsAfter; }, "{0} page faults after the last frame",
       "{0} page faults came after the last frame."},
      {"lost_frames", [](Totals totals) { return Number(totals.lostFrames); }, "{0} frames lost",
       "{0} frames were lost."},
      {"samples", [](Totals totals) { return Number(totals.samples); }},
      {"lost_samples", [](Totals totals) { return Number(totals.lostSamples); }, "{0} single faults lost",
       "{0} of {all_samples} single faults were lost; shares are of the others."},
      {"samples_without_stack", [](Totals totals) { return Number(totals.withoutStack); },
       "{0} single faults without call stack",
       "{0} of {samples} single faults have no call stack, for want of room, or because the memory could not be read; "
       "such faults count for their function alone."},
      {"flagged_frames", [](Totals totals) { return Number(totals.evidence.frames); }},
      {"flagged_with_samples", [](Totals totals) { return Number(totals.evidence.withSamples); }},
      // evidenceText() is the sentence of these.
      {"flagged_left_out", [](Totals totals) { return Number(totals.evidence.leftOut); },
       "culprits of {0} frames left out to save memory"},
      {"faults_left_out", [](Totals totals) { return Number(totals.evidence.faultsLeftOut); }},
      {"samples_merged", [](Totals totals) { return Number(totals.evidence.merged); }},
      {"faults_too_late", [](Totals totals) { return Number(totals.evidence.late); }, "{0} single faults too late"},
      {"frames_without_times", [](Totals totals) { return Number(totals.untimed); },
       "{0} frames without measured times",
       "{0} frames have neither measured times nor single faults: they passed before the kernel's programs ran, or "
       "found no room."},
      {"unseen_ns", [](Totals totals) { return Number(static_cast<std::uint64_t>(totals.unseen.count())); },
       "about {unseen_frames} frames not seen while a collector was replaced",
       "About {unseen_frames} frames in {unseen} were not seen, while one collector replaced another."},
      {"unseen_frames_about", [](Totals totals) { return Number(totals.unseenFrames); }},
      {"invalid_marks", [](Totals totals) { return Number(totals.invalidMarks); }, "{0} invalid marks",
       "{0} invalid marks were ignored."},
  });
}();

// The losses there are, in words: of each its `sentence` or `brief`.
[[nodiscard]] std::vector<std::string> lossesOf(const SessionTotals& totals, std::string_view SessionNumber::* words);

}  // namespace faultline
