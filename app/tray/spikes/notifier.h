// Notifier: turns spikes into desktop notifications, at most one per minute of the caller's clock.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <string>

#include "core/spikes/detector.h"

namespace faultline {

struct Notification {
  QString title;
  QString text;
  std::uint64_t spike = 0;  // Spike::id, shown after a click; 0: none
  std::string program;      // of the spike
  MonotonicTime since;      // the spike's start
};

class Notifier {
 public:
  // The notification for a spike that has ended; absent within a minute after the last notification.
  [[nodiscard]] std::optional<Notification> spikeEnded(const Spike& spike, MonotonicTime now);

 private:
  std::optional<MonotonicTime> m_lastTold;
  std::uint64_t m_untold = 0;
};

inline constexpr Nanoseconds kBetweenNotifications = std::chrono::minutes(1);

}  // namespace faultline
