// CSV (RFC 4180, UTF-8, CRLF, locale-independent) of moments: one row per process and moment. The columns:
//   wall_time (ISO 8601, UTC, ns), monotonic_ns, pid, start_time (ns since boot), name, then the field table, each
//   counter followed by its rate: minor_faults, minor_faults_per_s, ..., commit_bytes, resident_bytes, ..., then
//   exited (1 in the last row of a process that has ended, else 0),
//   interval_ns (since the sample before; 0: there is nothing to compare with), gap (none, first, suspended, late or
//   backwards), born (1: began in that interval, so that its rates are of all it has done), and what later versions
//   have appended to the field table.
// A rate times interval_ns is what its counter has grown by. An interval under a fifth of the one asked for has none.
// Names: bytes that are no UTF-8, and NUL, become \xNN. A name that a spreadsheet would take for a formula (it begins
// with = + - @, a tab or a line break) and one that begins with an apostrophe get an apostrophe in front: take one away
// where there is one, and the name is back.
#pragma once

#include <string>
#include <string_view>

#include "core/history/rates.h"

namespace faultline {

[[nodiscard]] std::string csvHeader();
// Appends one row per process of the moment; unavailable values are empty fields.
void appendCsv(const Moment& moment, std::string& out);
void appendCsvRow(const Moment& moment, const ProcessRow& row, std::string& out);
// One field, quoted if it must be.
[[nodiscard]] std::string csvField(std::string_view text);
[[nodiscard]] std::string csvName(std::string_view rawName);

}  // namespace faultline
