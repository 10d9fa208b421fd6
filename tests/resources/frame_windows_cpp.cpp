// The other half of the game in frame_windows.c: both have the same ring.
#include "resources/faultline_frame.h"

extern "C" void markFromCpp(int frames) {
  for (int i = 0; i < frames; ++i) faultline_frame("render");
}
