// Random: choices by a seed.
#pragma once

#include <QString>
#include <cstdint>
#include <random>

namespace faultline::soak {

class Random {
 public:
  explicit Random(std::uint64_t seed) : m_engine(seed) {}

  [[nodiscard]] int below(int end) { return static_cast<int>(m_engine() % static_cast<std::uint64_t>(end)); }
  [[nodiscard]] bool chance(int percent) { return below(100) < percent; }
  template <class List>
  [[nodiscard]] auto of(const List& list) {  // not of an empty one
    return list[static_cast<decltype(list.size())>(below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937_64 m_engine;
};

}  // namespace faultline::soak
