// CSV of the whole machine, in the dialect of csv.h: one row per moment. The columns: wall_time, monotonic_ns,
// interval_ns, gap, then the system metrics by number, each counter followed by its rate.
#pragma once

#include <string>

#include "core/history/rates.h"

namespace faultline {

[[nodiscard]] std::string machineCsvHeader();
// Unavailable values are empty fields.
void appendMachineCsv(const Moment& moment, std::string& out);

}  // namespace faultline
