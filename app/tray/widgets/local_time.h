// localTime(): a wall time as Qt shows it, in the user's time zone.
#pragma once

#include <QDateTime>
#include <chrono>

#include "core/base/units.h"

namespace faultline {

[[nodiscard]] inline QDateTime localTime(WallTime time) {
  return QDateTime::fromMSecsSinceEpoch(std::chrono::floor<std::chrono::milliseconds>(time.sinceEpoch).count());
}

}  // namespace faultline
