// What the window of a game's frames says in words.
#pragma once

#include <QString>

#include "app/tray/frames/game_watch.h"

namespace faultline {

// "Frames end with SDL_GL_SwapWindow", "Frames of an assumed 60 Hz", or what is waited for.
[[nodiscard]] QString markSentence(const GameWatch& watch);
// "faults exact, time in faults ≈, zeroed –", and each with its reason.
[[nodiscard]] QString qualitySentence(const WatchedGame& game);
[[nodiscard]] QString qualityDetails(const WatchedGame& game);
// Something is missing that a collector with privileges would tell.
[[nodiscard]] bool needsPermission(const GameWatch& watch);
// "3 frames lost", empty if nothing is missing.
[[nodiscard]] QString lossSentence(const SessionTotals& totals);
// Why nobody can tell the culprits of the frame at `place`.
[[nodiscard]] QString whyNoCulprits(const GameWatch& watch, std::uint64_t place);
// The line for a bug report.
[[nodiscard]] QString summaryLine(const GameWatch& watch, const QString& culprit);

}  // namespace faultline
