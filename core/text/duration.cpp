#include "core/text/duration.h"

#include <array>
#include <charconv>
#include <cmath>

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct TimeUnit {
  std::string_view name;
  Nanoseconds length;
};

constexpr std::array kUnits{TimeUnit{"h", 1h},   TimeUnit{"min", 1min}, TimeUnit{"s", 1s},  TimeUnit{"ms", 1ms},
                            TimeUnit{"us", 1us}, TimeUnit{"ns", 1ns},   TimeUnit{"m", 1min}};
constexpr Nanoseconds kLongest = 1000h;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

tl::unexpected<Error> noDuration(std::string_view text) {
  return fail("'" + std::string(text) +
              "' is not a duration. Write a number and a unit, such as 500ms, 2s, 1min or 1h.");
}

}  // namespace

Result<Nanoseconds> parseDuration(std::string_view text) {
  const std::string_view whole = trimmed(text);
  double number = 0;
  const auto [end, error] =
      std::from_chars(whole.data(), whole.data() + whole.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(number)) return noDuration(text);
  const std::string_view unit = trimmed(whole.substr(static_cast<std::size_t>(end - whole.data())));
  for (const TimeUnit& known : kUnits) {
    if (known.name != unit) continue;
    const double length = number * static_cast<double>(known.length.count());
    if (length < 1 && length != 0) return fail("'" + std::string(text) + "' is too short: the minimum is 1ns.");
    if (length > static_cast<double>(kLongest.count()))
      return fail("'" + std::string(text) + "' is too long: the maximum is 1000h.");
    return Nanoseconds(std::llround(length));
  }
  return noDuration(text);
}

std::string durationText(Nanoseconds duration) {
  for (const TimeUnit& unit : kUnits) {
    if (duration.count() % unit.length.count() == 0)
      return std::to_string(duration.count() / unit.length.count()) + std::string(unit.name);
  }
  return std::to_string(duration.count()) + "ns";
}

}  // namespace faultline
