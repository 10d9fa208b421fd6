// CSV (RFC 4180, UTF-8, CRLF, locale-independent) of moments: one row per process and moment. The columns:
//   wall_time (ISO 8601, UTC, ns), monotonic_ns, pid, start_time (ns since boot), name, then the field table, each
//   counter followed by its rate: minor_faults, minor_faults_per_s, ..., commit_bytes, resident_bytes, ..., then
//   exited (1 in the last row of a process that has ended, else 0),
//   interval_ns (since the previous sample; 0: no sample to compare with), gap (none, first, suspended, late or
//   backwards), born (1: the process started in this interval; its rates are of its whole counters), then the metrics
//   that later versions have appended to the field table, then service (systemd's unit or the container that the
//   process runs in; none: in none; empty: unknown).
// A row of the past has the values and rates that history keeps of the last samples until then. interval_ns is the time
// that these samples cover; totals, exited, born, service and the kind of a gap are empty, because history does not
// keep them. Rate times interval_ns is the counter's difference. Intervals below a fifth of the nominal interval have
// no rates. Names and services: NUL and bytes that are not UTF-8 become \xNN. A name that a spreadsheet would take for
// a formula (it begins with = + - @, a tab or a line break) or that begins with an apostrophe gets an apostrophe in
// front; to get the name back, remove a leading apostrophe.
#pragma once

#include <string>
#include <string_view>

#include "core/history/history.h"
#include "core/history/rates.h"

namespace faultline {

[[nodiscard]] std::string csvHeader();
// Appends one row per process of the moment; unavailable values are empty fields.
void appendCsv(const Moment& moment, std::string& out);
void appendCsvRow(const Moment& moment, const ProcessRow& row, std::string& out);
// The row of a process at an instant of the past; without numbers if history has none.
void appendPastCsvRow(const History& history, const ProcessKey& key, MonotonicTime time, std::string& out);
[[nodiscard]] std::string csvName(std::string_view rawName);

}  // namespace faultline
