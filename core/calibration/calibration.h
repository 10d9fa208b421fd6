// Calibration: what page faults cost on this machine, as the lab's quick form measured it. Turns counts into estimated
// time where fault time is not measured. Prices are thread CPU time in ns, the median with its quartiles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/model/hello.h"

namespace faultline {

struct Price {
  double median = 0;
  double low = 0;
  double high = 0;

  bool operator==(const Price&) const = default;
};

// The state that a calibration holds for; another value of any of these makes the calibration old.
struct CalibrationPlace {
  std::string system{};  // Machine::system, with the kernel
  std::string processor{};
  std::uint32_t processors = 0;
  std::string settings{};  // of the system's memory: "large pages madvise, governor performance"

  bool operator==(const CalibrationPlace&) const = default;
};

struct Calibration {
  WallTime when{};
  std::string version{};  // of the program that measured
  CalibrationPlace place{};
  std::optional<double> load{};  // processes that wanted to run while it was measured; absent: unknown
  Price touch{};                 // first touch of a small page: the fault, with the clearing of the page
  std::optional<Price> large{};  // the same of a large page; absent: there are none
  Price release{};               // giving back a small page that was touched

  bool operator==(const Calibration&) const = default;
};

[[nodiscard]] CalibrationPlace placeOf(const Machine& machine, std::string settings);

// Clauses: "the processor is another (was AMD EPYC)". Empty: the places are alike.
[[nodiscard]] std::vector<std::string> placeChanges(const CalibrationPlace& then, const CalibrationPlace& now);
// Why a calibration does not hold any more, as clauses: "the kernel is another (was Linux 6.1)". Empty: it holds.
[[nodiscard]] std::vector<std::string> calibrationChanges(const Calibration& calibration, const CalibrationPlace& now,
                                                          WallTime time);

// A file has one for each machine (processor and number of processors), as a home folder may belong to several.
[[nodiscard]] std::string calibrationsJson(std::span<const Calibration> calibrations);
[[nodiscard]] Result<std::vector<Calibration>> parseCalibrations(std::string_view document);
[[nodiscard]] const Calibration* findCalibration(std::span<const Calibration> calibrations,
                                                 const CalibrationPlace& place);  // null: there is none
void keepCalibration(Calibration calibration, std::vector<Calibration>& calibrations);

// "0.61 µs a fault (±4 %), 0.12 µs a page given back; measured on 2026-11-24 at a load of 0.4".
[[nodiscard]] std::string calibrationText(const Calibration& calibration);

}  // namespace faultline
