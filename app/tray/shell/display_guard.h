// DisplayGuard: around the making of QApplication, which aborts where it finds no display. What shows no window, as
// --version or --screenshot, then needs none; all else ends with one line and kNoDisplay.
#pragma once

namespace faultline {

inline constexpr int kNoDisplay = 3;  // app/run knows it

class DisplayGuard {
 public:
  DisplayGuard(int argc, const char* const* argv);
  ~DisplayGuard();
  DisplayGuard(const DisplayGuard&) = delete;
  DisplayGuard& operator=(const DisplayGuard&) = delete;
};

}  // namespace faultline
