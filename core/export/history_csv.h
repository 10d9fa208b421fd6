// CSV of a stretch of history: one row per process and sample; ten minutes back and more, per bucket of samples.
//   interval_ns is the time that a row's samples cover: minor_faults, major_faults, zeroed_bytes, zeroing_ns, fault_ns
//   and major_fault_ns are what was added in it (to seven digits, as history keeps them), so that sums over rows are
//   the counters' differences. duration_ns is the time from a row's first sample to its last. gap is 1 where nothing,
//   or too much time, was before. Rates and levels are means over the interval, *_peak their highest sample. Empty is
//   what was not measured, and a rate of a sample that came too soon after the one before.
#pragma once

#include <string>

#include "core/history/history.h"

namespace faultline {

[[nodiscard]] std::string historyCsvHeader();
// Appends every process's rows in [from, to], processes in order of their keys, time upwards within each.
void appendHistoryCsv(const History& history, MonotonicTime from, MonotonicTime to, std::string& out);

}  // namespace faultline
