// The window as a picture, without tray, without settings of the user and without asking anybody.
#pragma once

#include "app/tray/shell/application.h"
#include "core/base/result.h"

namespace faultline {

// Waits for the recording to be read, or for `screenshotAfter` snapshots. Fails when no data came within a minute.
[[nodiscard]] Result<void> takeScreenshot(const StartOptions& options);

}  // namespace faultline
