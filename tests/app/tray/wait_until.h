// Runs the event loop until a condition holds, with a limit for slow machines.
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
