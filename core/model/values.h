// Values: one optional 64-bit value per metric. Absent is not zero.
#pragma once

#include <bit>
#include <optional>
#include <type_traits>

#include "core/model/metric.h"

namespace faultline {

// Visits the metrics of a set, a bit each.
template <class Metric, class Bits, class Visit>
void forEachMetric(Bits bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<Metric>(std::countr_zero(bits)));
}

template <class Metric, std::size_t Count>
class Values {
 public:
  using Bits = std::conditional_t<(Count <= 32), std::uint32_t, std::uint64_t>;  // a bit per metric
  static constexpr std::size_t kCount = Count;

  [[nodiscard]] bool has(Metric metric) const { return (m_present >> index(metric)) & 1U; }
  [[nodiscard]] std::optional<std::uint64_t> get(Metric metric) const {
    return has(metric) ? std::optional(m_values[index(metric)]) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t orZero(Metric metric) const { return m_values[index(metric)]; }  // 0 if absent
  void set(Metric metric, std::uint64_t value) {
    m_values[index(metric)] = value;
    m_present |= Bits{1} << index(metric);
  }
  void set(Metric metric, std::optional<std::uint64_t> value) {
    if (value) set(metric, *value);
    else clear(metric);
  }
  [[nodiscard]] Bits present() const { return m_present; }
  void clear(Metric metric) {
    m_values[index(metric)] = 0;  // keeps the defaulted comparison true
    m_present &= ~(Bits{1} << index(metric));
  }

  void clearAll(Bits bits) {
    forEachMetric<Metric>(static_cast<Bits>(bits & m_present), [this](Metric metric) { clear(metric); });
  }

  // By how much each metric of `bits` has grown from `before` to `now`, which both have; absent if it shrank.
  void setGrowth(Bits bits, const Values& before, const Values& now) {
    m_present |= bits;
    forEachMetric<Metric>(bits, [&](Metric metric) {
      const std::size_t i = index(metric);
      m_values[i] = now.m_values[i] - before.m_values[i];
      if (now.m_values[i] < before.m_values[i]) clear(metric);
    });
  }

  [[nodiscard]] bool zero() const {  // all present values are 0
    std::uint64_t bits = 0;
    for (const std::uint64_t value : m_values) bits |= value;
    return bits == 0;
  }

  // The value 0 for each metric whose bit is set.
  [[nodiscard]] static Values zeros(Bits bits) {
    Values values;
    values.m_present = bits;
    return values;
  }
  // Sums each metric; a value that only one side has is taken as it is.
  void add(const Values& other) {
    for (std::size_t i = 0; i < Count; ++i) m_values[i] += other.m_values[i];  // 0 if absent
    m_present |= other.m_present;
  }
  void addZeros(Bits bits) { m_present |= bits; }  // the same of values that are 0

  [[nodiscard]] static constexpr Bits bit(Metric metric) { return Bits{1} << index(metric); }

  bool operator==(const Values&) const = default;

 private:
  static constexpr std::size_t index(Metric metric) { return static_cast<std::size_t>(metric); }
  static_assert(Count <= 64);

  std::array<std::uint64_t, Count> m_values{};
  Bits m_present = 0;
};

using ProcessValues = Values<ProcessMetric, kProcessMetricCount>;
using SystemValues = Values<SystemMetric, kSystemMetricCount>;

}  // namespace faultline
