// The experiments of the lab, for the terminal and the window: each repeats one that a post about the cost of memory
// describes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace faultline {

struct LabExperiment {
  std::string_view name;
  std::string_view title;
  std::uint64_t needs;        // bytes of memory, at most
  std::uint64_t needsQuick;   // in the quick form
  bool otherMallocs = false;  // runs again with each malloc that is installed beside the system's
  bool countsFreed = false;   // its report also tells whether the monitor counts what is given back
};

[[nodiscard]] std::span<const LabExperiment> labExperiments();
// Not one of them: measures the prices of a calibration.
inline constexpr LabExperiment kCalibrationExperiment{"calibration", "the price of a page fault", 64U << 20U,
                                                      64U << 20U};

// Nor this: gives memory back while a collector counts.
inline constexpr LabExperiment kFreedExperiment{"freed", "pages given back", 32U << 20U, 32U << 20U};

}  // namespace faultline
