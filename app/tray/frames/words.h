// Texts in the window of a game's frames.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "app/tray/frames/game_watch.h"

namespace faultline {

// "Frames of harbour (4711)", also where its launcher was given; of a recording with its time and name.
[[nodiscard]] QString windowTitleOf(const GameWatch& watch);
// "Frames end with SDL_GL_SwapWindow", "Frames of an assumed 60 Hz", or the mark that is awaited.
[[nodiscard]] QString markSentence(const GameWatch& watch);
// Ends of a frame that the user may choose, for parseFrameEnd().
[[nodiscard]] QStringList endsOfFrames(const GameWatch& watch);
// For the status bar: state, mark, quality and losses; with details, also the choice of the mark and each quality's
// reason.
[[nodiscard]] QString stateLine(const GameWatch& watch);
[[nodiscard]] QString stateDetails(const GameWatch& watch);
// A number is missing that a collector with privileges would measure.
[[nodiscard]] bool needsPermission(const GameWatch& watch);
// Why the culprits of the frame at `place` are not known.
[[nodiscard]] QString whyNoCulprits(const GameWatch& watch, std::uint64_t place);
// A line of words for each of the lines, or threads, that faulted most in these frames; empty without frames.
[[nodiscard]] QString culpritLines(const std::vector<std::shared_ptr<const Culprits>>& frames);
// The cost of faults as the delays tell it, or why none is delayed; empty without delays.
[[nodiscard]] QString delaySentence(const GameWatch& watch);
// The line for a bug report.
[[nodiscard]] QString summaryLine(const GameWatch& watch, const QString& culprit);

}  // namespace faultline
