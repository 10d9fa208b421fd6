// Recent: the most recent values of a series, none of them negative; the usual value is their median. And the cadence
// that the durations of frames show. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace faultline {

// Decided: of the budget, a deadline, a slot or a rate; a loop that waits for the display varies by less.
inline constexpr double kNotableShare = 0.02;
// Measured: beside compilers 65 to 98 % of the frames of games on a display end within as much of a slot, and by chance
// 20 %. A tenth of a slot or of the budget beyond it is late.
inline constexpr double kNearShare = 0.1;

class Recent {
 public:
  static constexpr std::size_t kMinValues = 8;
  static constexpr std::size_t kKept = 64;

  void add(double value) { m_values.at(m_count++ % kKept) = value; }
  [[nodiscard]] bool empty() const { return m_count == 0; }
  // Absent if there are too few values.
  [[nodiscard]] std::optional<double> usual() const;
  // Whether `value` exceeds `times` the usual value, and exceeds the usual value by more than `by`.
  [[nodiscard]] bool standsOut(double value, double times, double by) const;
  // The amount by which `value` exceeds the usual value, which is 0 if there are too few values.
  [[nodiscard]] double growth(double value) const;
  // A quarter of the values is less, or more; 0 without values.
  [[nodiscard]] double seldomLess() const { return empty() ? 0 : ranked(size() / 4); }
  [[nodiscard]] double seldomMore() const { return empty() ? 0 : ranked(size() * 3 / 4); }
  [[nodiscard]] double most() const;  // of the values; 0 without
  // Share of the values that are at most `share` of `step` away from it or from a multiple of it.
  [[nodiscard]] double shareOnGrid(double step, double share) const;

 private:
  [[nodiscard]] double ranked(std::size_t place) const;
  [[nodiscard]] std::size_t size() const { return m_count < kKept ? m_count : kKept; }

  std::array<double, kKept> m_values{};
  std::size_t m_count = 0;
};

// How long the thread usually sleeps in a frame, in ns; absent if unknown.
struct UsualSleep {
  std::optional<double> all;
  std::optional<double> forNobody;  // of it: sleep that no thread of the game ended
};

// The cadence of a game in ns: the slots of equal length, such as a display's, for which most frames wait; absent
// without one. `usual`: of the durations.
[[nodiscard]] std::optional<double> cadenceOf(const Recent& durations, double usual, const UsualSleep& sleep);

}  // namespace faultline
