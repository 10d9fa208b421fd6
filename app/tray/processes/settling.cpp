#include "app/tray/processes/settling.h"

#include <chrono>
#include <cmath>

namespace faultline {
namespace {

constexpr Nanoseconds kTimeConstant = std::chrono::seconds(kAveragedSeconds);
constexpr double kIdleRate = 0.05;  // a lower average is zero, so that idle rows tie

bool isRate(std::size_t column) {
  return columnInfo(static_cast<Column>(column)).kind == ColumnKind::Rate;
}

}  // namespace

double averageWeight(Nanoseconds passed) {
  return 1 - std::exp(-std::chrono::duration<double>(passed) / kTimeConstant);
}

void average(ProcessEntry& entry, double weight) {
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    std::optional<double> value = entry.values[c];
    std::optional<double>& calm = entry.calm[c];
    const bool averaged = calm && isRate(c);
    if (averaged && entry.presence == Presence::Ended) value = value.value_or(0);  // sinks like an idle process
    if (averaged && value) value = *calm + weight * (*value - *calm);
    calm = averaged && value && *value < kIdleRate ? 0 : value;
  }
}

}  // namespace faultline
