#include "core/text/number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace faultline {
namespace {

template <class... Arguments>
void append(std::string& out, Arguments... arguments) {
  std::array<char, 400> buffer;  // NOLINT: written before it is read; the largest double has 309 digits
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), arguments...).ptr;
  out.append(buffer.data(), end);
}

}  // namespace

void appendNumber(std::uint64_t value, std::string& out) {
  append(out, value);
}

void appendNumber(std::int64_t value, std::string& out) {
  append(out, value);
}

void appendNumber(double value, std::string& out) {
  if (!std::isfinite(value)) return;
  append(out, value, std::chars_format::fixed, 6);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
}

void appendNumber(float value, std::string& out) {
  if (std::isfinite(value)) append(out, value, std::chars_format::fixed);
}

}  // namespace faultline
