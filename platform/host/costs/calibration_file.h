// The calibrations that this user has kept, in calibration.json of the settings folder.
#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "core/calibration/calibration.h"

namespace faultline {

struct KeptCalibration {
  Calibration calibration;
  std::vector<std::string> changes{};  // calibrationChanges() up to now
};
// That of this machine, by the present settings.
[[nodiscard]] std::optional<KeptCalibration> keptCalibration(const Machine& machine);

// Its price of a minor fault that maps a small page, in ns.
[[nodiscard]] std::optional<double> keptPrice(const Machine& machine);

[[nodiscard]] std::filesystem::path calibrationFile();  // empty: there is no settings folder

// Absent: none of this machine was kept, or the file is damaged.
[[nodiscard]] std::optional<Calibration> loadCalibration(const std::filesystem::path& file,
                                                         const CalibrationPlace& place);
// Replaces that of the same machine, and removes the drafts of programs that were killed here. Error: the file cannot
// be written.
[[nodiscard]] Result<void> saveCalibration(const std::filesystem::path& file, const Calibration& calibration);

}  // namespace faultline
