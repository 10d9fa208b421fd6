// CSV of a stretch of history: one row per process and sample; ten minutes back and more, per bucket of samples.
//   Of each metric that history keeps there are, by the names of the field table: for a counter FIELD, what was added
//   in interval_ns (to seven digits, as history keeps it, so that sums over rows are the counter's differences),
//   FIELD_per_s, the mean rate, and FIELD_per_s_peak, that of the highest sample; for a gauge FIELD, its mean, and
//   FIELD_peak. interval_ns is the time that a row's samples cover, duration_ns that from its first sample to its last.
//   gap is 1 where nothing, or too much time, was before. Empty is a value that was not measured, and a rate of a
//   sample that came too soon after the one before.
#pragma once

#include <string>

#include "core/export/exporter.h"

namespace faultline {

[[nodiscard]] std::string historyCsvHeader();
// Appends a process's rows, time upwards.
void appendHistoryCsv(const ProcessRange& range, std::string& out);
// The same of every process in [from, to], in order of their keys.
void appendHistoryCsv(const History& history, MonotonicTime from, MonotonicTime to, std::string& out);

}  // namespace faultline
