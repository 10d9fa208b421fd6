// CSV (RFC 4180, UTF-8, CRLF, locale-independent) of moments: one row per process and moment. Columns come from the
// field table. Names: bytes that are no UTF-8 become \xNN; a name that a spreadsheet would take for a formula gets a
// leading apostrophe.
#pragma once

#include <string>
#include <string_view>

#include "core/monitor/rates.h"

namespace faultline {

[[nodiscard]] std::string csvHeader();
// Appends one row per process of the moment; unavailable values are empty fields.
void appendCsv(const Moment& moment, std::string& out);
void appendCsvRow(const Moment& moment, const ProcessRow& row, std::string& out);
// One field, quoted if it must be.
[[nodiscard]] std::string csvField(std::string_view text);
[[nodiscard]] std::string csvName(std::string_view rawName);

}  // namespace faultline
