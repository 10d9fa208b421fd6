#include "platform/host/costs/calibration_file.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/base/file_name.h"
#include "platform/host/costs/conditions.h"
#include "platform/host/costs/settings_folder.h"
#include "platform/host/processes.h"

namespace faultline {
namespace {

std::vector<Calibration> readAll(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  return parseCalibrations(text).value_or(std::vector<Calibration>());
}

// A draft is renamed within milliseconds.
constexpr auto kAbandoned = std::chrono::minutes(1);

std::filesystem::path draftOf(const std::filesystem::path& file) {
  std::filesystem::path draft = file;
  draft += "." + std::to_string(ownProcess());
  return draft;
}

// A program that was killed before it renamed its draft has left it.
void removeAbandonedDrafts(const std::filesystem::path& file) {
  const std::u8string start = file.filename().u8string() + u8".";
  std::error_code error;
  for (std::filesystem::directory_iterator at(file.parent_path(), error), end; !error && at != end;
       at.increment(error)) {
    const std::u8string name = at->path().filename().u8string();
    if (!name.starts_with(start) || name.find_first_not_of(u8"0123456789", start.size()) != std::u8string::npos)
      continue;
    std::error_code gone;
    const auto written = std::filesystem::last_write_time(at->path(), gone);
    if (!gone && std::filesystem::file_time_type::clock::now() - written > kAbandoned)
      std::filesystem::remove(at->path(), gone);
  }
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

// Another program that reads the file sees the old or the new one.
Result<void> saveCalibration(const std::filesystem::path& file, const Calibration& calibration) {
  if (file.empty()) return fail("The calibration cannot be kept: the environment names no folder for settings.");
  std::vector<Calibration> all = readAll(file);
  keepCalibration(calibration, all);
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  removeAbandonedDrafts(file);
  const std::filesystem::path draft = draftOf(file);
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  out << calibrationsJson(all);
  out.close();
  if (out) std::filesystem::rename(draft, file, error);
  if (out && !error) return {};
  std::filesystem::remove(draft, error);
  return fail("The calibration cannot be kept: " + nameInUtf8(file) + " cannot be written.");
}

}  // namespace faultline
