// Takes the values that History keeps out of a Moment.
#pragma once

#include <array>

#include "core/history/machine_series.h"
#include "core/history/rates.h"
#include "core/history/track.h"
#include "core/model/metric.h"

namespace faultline {

using RawValues = std::array<float, kKeptCount>;
inline constexpr RawValues kAllAbsent = [] {
  RawValues values;
  values.fill(kAbsent);
  return values;
}();

[[nodiscard]] RawValues keptValues(const Moment& moment, const ProcessRow& row);
// Rates are sums over the processes. Levels are the machine's own, because sums would count shared pages many times.
[[nodiscard]] RawValues keptTotals(const Moment& moment);
[[nodiscard]] std::array<float, kMachineCount> keptMachine(const Moment& moment);

}  // namespace faultline
