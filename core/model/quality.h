// Quality: how good a number is. Unavailable: why something does not work here, and what would enable it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace faultline {

// Both for a person. `why` is a sentence without a full stop; `enable` is empty if nothing would enable it.
struct Unavailable {
  std::string why;
  std::string enable;

  bool operator==(const Unavailable&) const = default;
};

enum class Grade : std::uint8_t { Exact, Estimated, Unavailable };

// How good one metric is. `how` says what it was read from or how it was estimated, or why it is unavailable;
// `enable` says what would make it available, empty if nothing would.
struct Quality {
  Grade grade = Grade::Unavailable;
  std::string how;
  std::string enable;
  std::uint8_t wrapBits = 64;  // width at which a counter wraps

  bool operator==(const Quality&) const = default;
};

[[nodiscard]] inline Quality exact(std::string how) {
  return {.grade = Grade::Exact, .how = std::move(how), .enable = {}};
}
[[nodiscard]] inline Quality estimated(std::string how) {
  return {.grade = Grade::Estimated, .how = std::move(how), .enable = {}};
}
[[nodiscard]] inline Quality unavailable(std::string why, std::string enable = {}) {
  return {.grade = Grade::Unavailable, .how = std::move(why), .enable = std::move(enable)};
}
[[nodiscard]] inline Quality unavailable(const Unavailable& reason) {
  return unavailable(reason.why, reason.enable);
}
// An empty reason: it works.
[[nodiscard]] inline Quality qualityUnless(const Unavailable& reason, Quality quality) {
  return reason.why.empty() ? std::move(quality) : unavailable(reason);
}

// `how` of what nobody will ever say more about: the system that measured has no such number, or the program that made
// the stream was older than the number. Lists of what is measured leave these out.
inline constexpr std::string_view kNoSuchNumber = "This system has no such number.";
inline constexpr std::string_view kUnknownToWriter = "The program that made this stream did not know this number yet.";
[[nodiscard]] inline bool ofNoConcern(const Quality& quality) {
  return quality.grade == Grade::Unavailable && (quality.how == kNoSuchNumber || quality.how == kUnknownToWriter);
}

}  // namespace faultline
