#include "core/text/quantity.h"

#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "core/text/number_style.h"

namespace faultline {
namespace {

constexpr std::string_view kNarrowSpace = "\u202f";
constexpr std::string_view kMinus = "\u2212";

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer{};  // the largest double has 309 digits
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
  return {buffer.data(), end};
}

std::string withoutTrailingZeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Decimals for three significant figures. Thresholds allow for rounding up (9.996 becomes 10.0).
int decimalsFor(double value) {
  if (value < 9.995) return 2;
  return value < 99.95 ? 1 : 0;
}

struct Scaled {
  double value = 0;
  std::string_view unit;
};

// The smallest unit in which the rounded value is below `limit`.
Scaled scaled(double value, double step, double limit, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && std::round(value) >= limit) {
    value /= step;
    ++unit;
  }
  return {value, units[unit]};
}

std::string spaced(std::string number, std::string_view unit) {
  return number.append(" ").append(unit);
}

std::string signedText(double value, std::string (*format)(double)) {
  if (!std::isfinite(value)) return std::string(kUnavailable);
  return value < 0 ? std::string(kMinus) + format(-value) : format(value);
}

std::string positiveRate(double perSecond) {
  static constexpr std::array<std::string_view, 7> kUnits{"", "k", "M", "G", "T", "P", "E"};
  if (perSecond == 0) return "0";
  if (perSecond < 0.005) return "<0.01";
  const Scaled rate = scaled(perSecond, 1000, 1000, kUnits);
  std::string number = fixed(rate.value, decimalsFor(rate.value));
  return rate.unit.empty() ? withoutTrailingZeros(std::move(number)) : spaced(std::move(number), rate.unit);
}

std::string positivePercent(double share) {
  const double percent = share * 100;
  if (percent == 0) return "0 %";
  if (percent < 0.005) return "<0.01 %";
  return spaced(withoutTrailingZeros(fixed(percent, percent < 0.095 ? 2 : (percent < 99.95 ? 1 : 0))), "%");
}

std::string positiveDuration(double nanoseconds) {
  static constexpr std::array<std::string_view, 4> kUnits{"ns", "µs", "ms", "s"};
  const Scaled duration = scaled(nanoseconds, 1000, 1000, kUnits);
  const int decimals = duration.unit == "ns" ? 0 : decimalsFor(duration.value);
  return spaced(fixed(duration.value, decimals), duration.unit);
}

struct LongUnit {
  std::int64_t seconds;
  std::string_view name;
};

// Durations of two minutes and more, in two neighbouring units: "2 min 5 s", "3 h 12 min", "2 d 1 h".
std::string longDuration(std::int64_t seconds) {
  static constexpr std::array<LongUnit, 4> kUnits{{{86'400, "d"}, {3'600, "h"}, {60, "min"}, {1, "s"}}};
  std::size_t unit = 0;
  while (seconds < kUnits[unit].seconds) ++unit;
  const auto& [large, largeName] = kUnits[unit];
  const auto& [small, smallName] = kUnits[unit + 1];
  std::string text = spaced(std::to_string(seconds / large), largeName);
  if (const std::int64_t rest = seconds % large / small; rest > 0) {
    text += " " + spaced(std::to_string(rest), smallName);
  }
  return text;
}

}  // namespace

std::string formatCount(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += kNarrowSpace;
    out += digits[i];
  }
  return styled(std::move(out));
}

std::string formatRate(double perSecond) {
  return styled(signedText(perSecond, positiveRate));
}

std::string formatBytes(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const Scaled size = scaled(static_cast<double>(bytes), 1024, 1024, kUnits);
  return styled(spaced(fixed(size.value, size.unit == "B" ? 0 : decimalsFor(size.value)), size.unit));
}

std::string formatDuration(Nanoseconds duration) {
  const double nanoseconds = static_cast<double>(duration.count());
  constexpr std::int64_t kLong = 120;
  const auto seconds = static_cast<std::int64_t>(std::round(std::abs(nanoseconds) / 1e9));
  if (seconds < kLong) return styled(signedText(nanoseconds, positiveDuration));
  return styled((duration.count() < 0 ? std::string(kMinus) : std::string()) + longDuration(seconds));
}

std::string formatDuration(double ns) {
  return formatDuration(Nanoseconds(std::llround(ns)));
}

std::string formatPercent(double share) {
  return styled(signedText(share, positivePercent));
}

}  // namespace faultline
