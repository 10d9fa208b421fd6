// Pace: the time until the next sweep. While a spike runs or a game is watched, sweeps may come every 50 ms, else at
// the usual interval. Bounded by what sweeps cost: this program's own processor time, as samples tell it, is at most
// kMostShare of a core averaged over any minute in which it sweeps faster; where the usual sweeps cost half of that,
// there are no faster ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/units.h"

namespace faultline {

inline constexpr Nanoseconds kFastest = std::chrono::milliseconds(50);
inline constexpr double kMostShare = 0.02;

// "up to every 50ms while ...": the rule, after a verb.
[[nodiscard]] std::string fasterWords();

class Pace {
 public:
  explicit Pace(Nanoseconds usual) : m_usual(usual), m_interval(usual) {}

  // After each sample. `used`: processor time of this program so far; absent: unknown, and sweeps are not faster.
  // `wanted`: a spike runs, or a game is watched.
  [[nodiscard]] Nanoseconds next(MonotonicTime now, std::optional<std::uint64_t> used, bool wanted);

 private:
  void account(MonotonicTime now, std::optional<std::uint64_t> used);
  [[nodiscard]] Nanoseconds affordable() const;

  Nanoseconds m_usual;
  Nanoseconds m_interval;
  std::optional<std::uint64_t> m_used;
  MonotonicTime m_at;
  double m_saved = 0;  // processor time that may be spent, in ns; less than 0: too much was
  double m_cost = 0;   // of a sweep, in ns; 0: unknown
};

}  // namespace faultline
