// Numbers for machines to read: no locale, no grouping, a point for the decimals.
#pragma once

#include <cstdint>
#include <string>

namespace faultline {

void appendNumber(std::uint64_t value, std::string& out);
void appendNumber(std::int64_t value, std::string& out);
// At most six decimals, never an exponent; nothing at all for what is not finite.
void appendNumber(double value, std::string& out);
void appendNumber(float value, std::string& out);  // as short as tells it from its neighbours, never an exponent

}  // namespace faultline
