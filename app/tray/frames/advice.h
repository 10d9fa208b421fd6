// The advice on the worst frames of a watched game, as far as their culprits are found.
#pragma once

#include <optional>

#include "app/tray/frames/culprit_finder.h"
#include "core/advice/advice.h"

namespace faultline {

[[nodiscard]] std::optional<Advice> adviceOn(const GameWatch& watch, CulpritFinder& finder);

// Shows the command that tries the advice on the game.
void openTryDialog(const GameWatch& watch, const std::optional<Advice>& advice, QWidget* parent);

}  // namespace faultline
