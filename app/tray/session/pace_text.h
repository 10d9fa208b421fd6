// How often is measured at present, in words: "every 50 ms while a game is watched (0.9 % of a core)". And how often
// that is drawn.
#pragma once

#include <QString>
#include <chrono>

#include "core/monitor/monitor.h"

namespace faultline {

// `usual`: the interval of the settings. `watching`: a game is watched.
[[nodiscard]] QString paceText(const Monitor& live, Nanoseconds usual, bool watching);
// From a sample to its picture: faster ones are recorded, and drawn together, as a picture costs more than a sweep.
[[nodiscard]] std::chrono::milliseconds redrawPause(const Monitor& live, std::chrono::milliseconds usual);

}  // namespace faultline
