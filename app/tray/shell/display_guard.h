// DisplayGuard: keeps QApplication from aborting without a display while it is created. Options that show no window,
// such as --version or --screenshot, then need no display; otherwise the program ends with one line and kNoDisplay.
#pragma once

namespace faultline {

inline constexpr int kNoDisplay = 3;  // also in app/run

class DisplayGuard {
 public:
  DisplayGuard(int argc, const char* const* argv);
  ~DisplayGuard();
  DisplayGuard(const DisplayGuard&) = delete;
  DisplayGuard& operator=(const DisplayGuard&) = delete;
};

}  // namespace faultline
