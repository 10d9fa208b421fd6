// The parts of time inside faults, in words.
#pragma once

#include <string>

#include "core/base/units.h"

namespace faultline {

// "80.2 ms on a processor, 2.05 s waiting for a processor, 40.1 ms blocked".
[[nodiscard]] std::string faultPartsText(Nanoseconds onProcessor, Nanoseconds waiting, Nanoseconds blocked);

}  // namespace faultline
