// Numbers for machines: no locale, no grouping, a decimal point.
#pragma once

#include <cstdint>
#include <string>

namespace faultline {

void appendNumber(std::uint64_t value, std::string& out);
void appendNumber(std::int64_t value, std::string& out);
// At most six decimals, never an exponent. Appends nothing if the value is not finite.
void appendNumber(double value, std::string& out);
void appendNumber(float value,
                  std::string& out);  // the shortest text that reads back as the same float; never an exponent

}  // namespace faultline
