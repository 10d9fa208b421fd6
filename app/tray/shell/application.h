// The tray app: connects one session, one window and one tray icon.
#pragma once

#include <QString>
#include <cstdint>

namespace faultline {

struct StartOptions {
  bool synthetic = false;
  bool windows = false;  // the synthetic machine has the numbers of Windows
  bool hidden = false;
  QString recording;
  QString beside;            // another recording, beside it
  QString screenshot;        // not empty: render the window to this file and exit
  std::uint32_t frames = 0;  // show the frames of this process; 0: none
  bool lab = false;          // show the lab
  QString labResult;         // and this saved result
  unsigned screenshotAfter = 8;
};

// Runs until the user quits; returns the exit code. Needs a QApplication.
[[nodiscard]] int runApplication(const StartOptions& options);

}  // namespace faultline
