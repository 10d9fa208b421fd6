// JSON of Hello and of moments, one object per line.
// Hello: version, source, clock, interval_ns, collector_pid, machine {system, processor, processors, memory_bytes,
//   page_bytes}, zeroing_cost {small_ns_per_kib, large_ns_per_kib}, process_metrics and system_metrics: lists of {name,
//   title, kind, unit, grade, how, enable, wrap_bits}.
// Moment: wall_time, monotonic_ns, interval_ns, gap ("none", "first", "suspended", "late", "backwards"), born, died,
//   system {field and, for counters, field_per_s}, total {field_per_s} of all processes but Faultline's own, processes:
//   a list of {pid, start_time, name, name_hex?, born, exited} and the columns of the CSV by the same names.
// Unavailable values are null. Integers are exact up to 2^64 - 1. `name` is UTF-8; if the raw bytes are not, `name_hex`
// carries them and `name` shows them as \xNN.
#pragma once

#include <string>

#include "core/history/rates.h"
#include "core/model/hello.h"

namespace faultline {

// Without line breaks, also at the end.
[[nodiscard]] std::string toJson(const Hello& hello);
[[nodiscard]] std::string toJson(const Moment& moment);

}  // namespace faultline
