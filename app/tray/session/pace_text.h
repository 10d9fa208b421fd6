// How often is measured at present, in words: "every 50 ms while a game is watched (0.9 % of a core)".
#pragma once

#include <QString>

#include "core/monitor/monitor.h"

namespace faultline {

// `usual`: the interval of the settings. `watching`: a game is watched.
[[nodiscard]] QString paceText(const Monitor& live, Nanoseconds usual, bool watching);

}  // namespace faultline
