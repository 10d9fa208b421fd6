// The report on a watched game, as lines of text: the summary, the frames that faults hurt most with their culprits,
// the quality of each number, and losses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/advice/advice.h"
#include "core/culprits/culprits.h"
#include "core/frames/game_session.h"

namespace faultline {

// Keyed by the frame's start: in older recordings numbers repeat where the game executed another program.
using FrameCulprits = std::map<MonotonicTime, Culprits>;

[[nodiscard]] std::string culpritOf(const JudgedFrame& judged, const FrameCulprits& culprits);
[[nodiscard]] std::optional<Advice> adviceOn(const GameSession& session, const FrameCulprits& culprits);
// One line; valid during the watch and after it.
[[nodiscard]] std::string sessionSummary(const GameSession& session, const FrameCulprits& culprits);
// `whyNoStacks`: the reason as a sentence; empty if call stacks were read. `program`: the words that started the game,
// for the advice; empty: not known.
[[nodiscard]] std::vector<std::string> sessionReport(const GameSession& session, const FrameCulprits& culprits,
                                                     const std::string& whyNoStacks,
                                                     const std::vector<std::string>& program);

}  // namespace faultline
