// Watchdog: a thread that ends the program with a call stack when the event loop has not turned while the program
// computed for a second, or while all its threads slept for a second. A machine that is busy with other programs is no
// hang.
#pragma once

#include <QTimer>
#include <atomic>
#include <thread>

namespace faultline::soak {

class Watchdog {
 public:
  Watchdog();  // of the thread that creates it
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  QTimer m_beat;
  std::atomic<unsigned> m_beats = 0;
  std::atomic<bool> m_ended = false;
  std::thread m_thread;
};

}  // namespace faultline::soak
