// ReadingBudget: the time and the bytes that a command, or a window's watch, may spend altogether on what the files of
// games tell, because a game may have written them to take both without end. A budget grows with the time that passes,
// so that a long watch is not cut short.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/units.h"

namespace faultline {

class ReadingBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ReadingBudget(Nanoseconds time, std::uint64_t bytes = std::uint64_t{256} << 20U)
      : m_time(time), m_bytes(bytes) {}

  void spend(Nanoseconds time) { m_spent += time; }
  void spend(std::uint64_t bytes) { m_read += bytes; }
  // Zero or less: nothing more may be read.
  [[nodiscard]] Nanoseconds left() const {
    const Nanoseconds passed = Clock::now() - m_began;
    const auto seconds = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(passed).count());
    return m_read > m_bytes + seconds * kBytesPerSecond ? Nanoseconds(0) : m_time + passed / kShare - m_spent;
  }
  // More is spent than comes: what can wait, or be read in part, should.
  [[nodiscard]] bool isTight() const { return left() < m_time / 2; }
  [[nodiscard]] Nanoseconds time() const { return m_time; }

 private:
  static constexpr int kShare = 10;  // of the time that passes
  static constexpr std::uint64_t kBytesPerSecond = std::uint64_t{1} << 20U;

  Clock::time_point m_began = Clock::now();
  Nanoseconds m_time;
  std::uint64_t m_bytes;
  Nanoseconds m_spent{0};
  std::uint64_t m_read = 0;
};

// Of a command, which waits for what it reads; and of a watch in the window, which does not wait.
inline constexpr Nanoseconds kCommandReading = std::chrono::seconds(5);
inline constexpr Nanoseconds kWindowReading = std::chrono::seconds(30);

}  // namespace faultline
