#include "platform/host/costs/calibration_file.h"

#include <chrono>
#include <system_error>

#include "core/base/file_text.h"
#include "platform/host/costs/conditions.h"
#include "platform/host/costs/settings_folder.h"
#include "platform/host/whole_file.h"

namespace faultline {
namespace {

std::vector<Calibration> readAll(const std::filesystem::path& file) {
  return parseCalibrations(fileText(file).value_or("")).value_or(std::vector<Calibration>());
}

}  // namespace

std::filesystem::path calibrationFile() {
  const std::filesystem::path folder = settingsFolder();
  return folder.empty() ? folder : folder / "calibration.json";
}

std::optional<KeptCalibration> keptCalibration(const Machine& machine) {
  const CalibrationPlace place = placeOf(machine, costSettings());
  auto found = loadCalibration(calibrationFile(), place);
  if (!found) return std::nullopt;
  const WallTime now{std::chrono::system_clock::now().time_since_epoch()};
  std::vector<std::string> changes = calibrationChanges(*found, place, now);
  return KeptCalibration{std::move(*found), std::move(changes)};
}

std::optional<double> keptPrice(const Machine& machine) {
  const auto kept = keptCalibration(machine);
  return kept ? std::optional(kept->calibration.touch.median) : std::nullopt;
}

std::optional<Calibration> loadCalibration(const std::filesystem::path& file, const CalibrationPlace& place) {
  const std::vector<Calibration> all = readAll(file);
  const Calibration* const found = findCalibration(all, place);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

Result<void> saveCalibration(const std::filesystem::path& file, const Calibration& calibration) {
  if (file.empty()) return fail("The calibration cannot be kept: the environment names no folder for settings.");
  std::vector<Calibration> all = readAll(file);
  keepCalibration(calibration, all);
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (const auto written = replaceFile(file, calibrationsJson(all)); !written)
    return fail("The calibration cannot be kept: " + written.error().message);
  return {};
}

}  // namespace faultline
