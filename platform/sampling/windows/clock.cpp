#include "platform/sampling/clock.h"

#include <windows.h>

#include "core/parse/nt/time.h"
#include "platform/system/windows/file_time.h"

namespace faultline {
namespace {

class SystemClock final : public Clock {
 public:
  SystemClock() {
    LARGE_INTEGER frequency;
    ::QueryPerformanceFrequency(&frequency);  // cannot fail, nor can the counter
    m_frequency = frequency.QuadPart;
  }

  [[nodiscard]] MonotonicTime now() const override {
    LARGE_INTEGER counter;
    ::QueryPerformanceCounter(&counter);
    const std::int64_t part = counter.QuadPart % m_frequency;
    return {std::chrono::seconds(counter.QuadPart / m_frequency) +
            Nanoseconds(part * Nanoseconds::period::den / m_frequency)};
  }

  [[nodiscard]] WallTime wall() const override {
    FILETIME time;
    ::GetSystemTimePreciseAsFileTime(&time);
    const std::uint64_t ticks = unitsOf(time);
    return {Nanoseconds(static_cast<std::int64_t>((ticks - kNtTimeOf1970) * kNtTimeNs))};
  }

  // Always 0: the performance counter counts time suspended, too (Microsoft, "Acquiring high-resolution time stamps").
  [[nodiscard]] Nanoseconds suspended() const override { return Nanoseconds(0); }

 private:
  std::int64_t m_frequency = 1;  // counts per second
};

}  // namespace

const Clock& systemClock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace faultline
