// Zeroing in the background, as Windows does it: the rates of the machine's own numbers.
#pragma once

#include <optional>

#include "core/history/rates.h"

namespace faultline {

// Time of the zeroing threads, in ns per second. Absent: not measured.
[[nodiscard]] inline std::optional<double> zeroThreadTime(const Moment& now) {
  return now.perSecond(now.systemDeltas.get(SystemMetric::ZeroThreadTime));
}

// Bytes per second of page faults that asked for a zeroed page. Absent: not measured.
[[nodiscard]] inline std::optional<double> askedForZeroed(const Moment& now, const Hello& hello) {
  const auto faults = now.perSecond(now.systemDeltas.get(SystemMetric::DemandZeroFaults));
  return faults ? std::optional(*faults * static_cast<double>(hello.machine.pageBytes)) : std::nullopt;
}

}  // namespace faultline
