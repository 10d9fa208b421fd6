// The tray app as a whole: one session, one window, one tray icon, wired together.
#pragma once

#include <QString>
#include <cstdint>

namespace faultline {

struct StartOptions {
  bool synthetic = false;
  bool hidden = false;
  QString recording;
  QString screenshot;        // not empty: render the window to this file and leave
  std::uint32_t frames = 0;  // a process whose frames are to be shown
  int screenshotAfter = 8;
};

// Runs until the user quits; the program's exit code. Needs a QApplication.
[[nodiscard]] int runApplication(const StartOptions& options);

}  // namespace faultline
