// Turns the event loop until something holds, for as long as a slow machine may need.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>

namespace faultline {

template <class Condition>
[[nodiscard]] bool waitUntil(Condition holds, int deadlineMs = 120'000) {
  QElapsedTimer waited;
  waited.start();
  while (!holds()) {
    if (waited.hasExpired(deadlineMs)) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
  }
  return true;
}

}  // namespace faultline
