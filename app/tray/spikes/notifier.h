// Notifier: turns spikes into desktop notifications, at most one a minute by the clock that the caller reads.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "core/spikes/detector.h"

namespace faultline {

struct Notification {
  QString title;
  QString text;
  std::uint64_t spike = 0;  // Spike::id, to go to when it is clicked
};

class Notifier {
 public:
  // What to tell about a spike that has ended; absent within a minute of the last one told.
  [[nodiscard]] std::optional<Notification> spikeEnded(const Spike& spike, MonotonicTime now);

 private:
  std::optional<MonotonicTime> m_lastTold;
  std::uint64_t m_untold = 0;
};

inline constexpr Nanoseconds kBetweenNotifications = std::chrono::minutes(1);

}  // namespace faultline
