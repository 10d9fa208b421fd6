// CSV of a range of history: one row per process and sample; beyond ten minutes, one per process and bucket of samples.
// Columns of each metric that history keeps, named by the field table:
//   counter: FIELD (its difference over interval_ns, to history's seven digits, so that sums over rows are the
//   counter's differences), FIELD_per_s (mean rate), FIELD_per_s_peak (rate of the highest sample); gauge: FIELD
//   (mean), FIELD_peak.
// interval_ns: the time covered by the row's samples. duration_ns: from the first sample to the last. gap: 1 if no
// sample, or too much time, was before. Empty: a value that was not measured, or the rate of too short an interval.
#pragma once

#include <string>

#include "core/export/exporter.h"

namespace faultline {

[[nodiscard]] std::string historyCsvHeader();
// Appends the rows of a process in order of time.
void appendHistoryCsv(const ProcessRange& range, std::string& out);
// The same for every process in [from, to], in order of keys.
void appendHistoryCsv(const History& history, MonotonicTime from, MonotonicTime to, std::string& out);

}  // namespace faultline
