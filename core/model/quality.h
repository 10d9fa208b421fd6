// Quality: of a number. Unavailable: why a feature does not work here, and its remedy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace faultline {

// For people. `why` is a sentence without a full stop; `enable` is empty if there is no remedy.
struct Unavailable {
  std::string why;
  std::string enable;

  bool operator==(const Unavailable&) const = default;
};

enum class Grade : std::uint8_t { Exact, Estimated, Unavailable };

// Quality of one metric. `how`: its source, its method of estimation, or the reason why it is unavailable.
// `enable`: a remedy that would make it available; empty if there is none.
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
// `quality`, or unavailable if there is a reason.
[[nodiscard]] inline Quality qualityUnless(const Unavailable& reason, Quality quality) {
  return reason.why.empty() ? std::move(quality) : unavailable(reason);
}

// `how` of metrics that lists leave out: the system that measured lacks the number, the program that wrote the stream
// is older than the number, or others tell what it would.
inline constexpr std::string_view kNoSuchNumber = "This system has no such number.";
inline constexpr std::string_view kUnknownToWriter = "The program that made this stream did not know this number yet.";
inline constexpr std::string_view kNotNeeded = "Not needed: each process reports its own faults when it ends";
[[nodiscard]] inline bool ofNoConcern(const Quality& quality) {
  return quality.grade == Grade::Unavailable &&
         (quality.how == kNoSuchNumber || quality.how == kUnknownToWriter || quality.how == kNotNeeded);
}

}  // namespace faultline
