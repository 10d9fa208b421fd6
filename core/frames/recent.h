// Recent: the most recent values of a series, none of them negative; the usual value is their median.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace faultline {

class Recent {
 public:
  static constexpr std::size_t kMinValues = 8;
  static constexpr std::size_t kKept = 64;

  void add(double value) { m_values.at(m_count++ % kKept) = value; }
  // Absent if there are too few values.
  [[nodiscard]] std::optional<double> usual() const;
  // Whether `value` exceeds `times` the usual value, and exceeds the usual value by more than `by`.
  [[nodiscard]] bool standsOut(double value, double times, double by) const;
  // The amount by which `value` exceeds the usual value, which is 0 if there are too few values.
  [[nodiscard]] double growth(double value) const;
  // A quarter of the values is less, or more; 0 without values.
  [[nodiscard]] double seldomLess() const { return m_count == 0 ? 0 : ranked(size() / 4); }
  [[nodiscard]] double seldomMore() const { return m_count == 0 ? 0 : ranked(size() * 3 / 4); }
  [[nodiscard]] double most() const;  // of the values; 0 without
  // Share of the values that are at most `share` of `step` away from it or from a multiple of it.
  [[nodiscard]] double shareOnGrid(double step, double share) const;

 private:
  [[nodiscard]] double ranked(std::size_t place) const;
  [[nodiscard]] std::size_t size() const { return m_count < kKept ? m_count : kKept; }

  std::array<double, kKept> m_values{};
  std::size_t m_count = 0;
};

}  // namespace faultline
