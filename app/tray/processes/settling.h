// Keeps rows in place while their rates waver: each rate has a slow moving average, and rows are sorted by the averages
// that the last settle() took over.
#pragma once

#include <cstdint>

#include "app/tray/processes/entry.h"

namespace faultline {

enum class Settling : std::uint8_t {
  Calm,  // rates that changed little keep their places
  Exact,
};

// `passed`: since the last average. Returns the weight of the newest value.
[[nodiscard]] double averageWeight(Nanoseconds passed);
void average(ProcessEntry& entry, double weight);
void settle(ProcessEntry& entry, Settling settling);

}  // namespace faultline
