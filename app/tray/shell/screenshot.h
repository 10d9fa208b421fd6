// Saves a picture of the window, without the tray and the user's settings, and without any dialog.
#pragma once

#include "app/tray/shell/application.h"
#include "core/base/result.h"

namespace faultline {

// Waits for the whole recording, or for `screenshotAfter` snapshots. Error: no data within a minute.
[[nodiscard]] Result<void> takeScreenshot(const StartOptions& options);

}  // namespace faultline
