// CSV of a stretch of history: one row per process and bucket. Ten minutes back a bucket is one sample; older ones are
// wider, and then a rate's mean and its peak differ. Totals are not kept over time, so there are none here: see csv.h
// for those.
#pragma once

#include <string>

#include "core/monitor/history.h"

namespace faultline {

[[nodiscard]] std::string historyCsvHeader();
// Appends every process's rows in [from, to], processes in order of their keys, time upwards within each.
void appendHistoryCsv(const History& history, MonotonicTime from, MonotonicTime to, std::string& out);

}  // namespace faultline
