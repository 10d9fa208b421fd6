// Makes a calibration of the lab's report about it.
#pragma once

#include "core/base/result.h"
#include "core/calibration/calibration.h"
#include "core/lab/report.h"

namespace faultline {

// The rows that the experiment "calibration" has.
inline constexpr std::string_view kCalibrateSmall = "small pages";
inline constexpr std::string_view kCalibrateLarge = "large pages";
inline constexpr std::string_view kCalibrateTouch = "touch";
inline constexpr std::string_view kCalibrateFree = "free";

// The prices alone. Error: the machine was too busy for them, with the reason.
[[nodiscard]] Result<Calibration> calibrationOf(const LabReport& report);

}  // namespace faultline
