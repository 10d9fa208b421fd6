// Look: the colours of all windows. Where the desktop says none, Qt's style has a grey of its own, which Faultline
// replaces.
#pragma once

#include <QPalette>

#include "app/tray/session/settings.h"

namespace faultline {

[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

// Of the whole application, from now on.
void wear(Look look);

}  // namespace faultline
