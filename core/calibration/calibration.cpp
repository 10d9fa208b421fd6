#include "core/calibration/calibration.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr auto kOld = std::chrono::days(90);

std::string dayText(WallTime time) {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::sys_time<Nanoseconds>(time.sinceEpoch)));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

bool sameMachine(const CalibrationPlace& one, const CalibrationPlace& other) {
  return one.processor == other.processor && one.processors == other.processors;
}

}  // namespace

CalibrationPlace placeOf(const Machine& machine, std::string settings) {
  return {.system = machine.system,
          .processor = machine.processor,
          .processors = machine.processors,
          .settings = std::move(settings)};
}

std::vector<std::string> placeChanges(const CalibrationPlace& then, const CalibrationPlace& now) {
  std::vector<std::string> changes;
  const auto compare = [&](std::string_view what, std::string_view was, std::string_view is) {
    if (was != is) changes.push_back(fmt::format("{} (was {})", what, was.empty() ? "unknown" : was));
  };
  compare("the system is another", then.system, now.system);
  compare("the processor is another", then.processor, now.processor);
  if (then.processors != now.processors)
    changes.push_back(fmt::format("the number of processors is another (was {})", then.processors));
  compare("the settings are others", then.settings, now.settings);
  return changes;
}

std::vector<std::string> calibrationChanges(const Calibration& calibration, const CalibrationPlace& now,
                                            WallTime time) {
  std::vector<std::string> changes = placeChanges(calibration.place, now);
  const Nanoseconds age = time.sinceEpoch - calibration.when.sinceEpoch;
  if (age > kOld)
    changes.push_back(fmt::format("it is {} days old", std::chrono::duration_cast<std::chrono::days>(age).count()));
  return changes;
}

const Calibration* findCalibration(std::span<const Calibration> calibrations, const CalibrationPlace& place) {
  const auto found =
      std::ranges::find_if(calibrations, [&](const Calibration& each) { return sameMachine(each.place, place); });
  return found == calibrations.end() ? nullptr : &*found;
}

void keepCalibration(Calibration calibration, std::vector<Calibration>& calibrations) {
  std::erase_if(calibrations, [&](const Calibration& each) { return sameMachine(each.place, calibration.place); });
  calibrations.push_back(std::move(calibration));
}

std::string calibrationText(const Calibration& calibration) {
  const Price& touch = calibration.touch;
  std::string text = fmt::format("{} a fault", formatDuration(touch.median));
  if (touch.median > 0) text += fmt::format(" (±{:.0f} %)", 50 * (touch.high - touch.low) / touch.median);
  if (calibration.large) text += fmt::format(", {} a fault of a large page", formatDuration(calibration.large->median));
  text += fmt::format(", {} a page given back; measured on {}", formatDuration(calibration.release.median),
                      dayText(calibration.when));
  if (calibration.load) text += fmt::format(" at a load of {:.1f}", *calibration.load);
  return text;
}

}  // namespace faultline
