// What a watched game comes to, in lines for a person: the summary, the frames that faults hurt most and whose those
// were, and how good each number is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/culprits/culprits.h"
#include "core/frames/game_session.h"

namespace faultline {

// By the frame's start: its number may come twice when a game becomes another program.
using FrameCulprits = std::map<MonotonicTime, Culprits>;

[[nodiscard]] std::string culpritOf(const JudgedFrame& judged, const FrameCulprits& culprits);
// One line: what is known so far, or in the end.
[[nodiscard]] std::string sessionSummary(const GameSession& session, const FrameCulprits& culprits);
// `whyNoStacks`: a sentence, or empty.
[[nodiscard]] std::vector<std::string> sessionReport(const GameSession& session, const FrameCulprits& culprits,
                                                     const std::string& whyNoStacks);

}  // namespace faultline
