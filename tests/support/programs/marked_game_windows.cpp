// A game whose frame N takes 10 * N page faults by the count that it is given in place of Windows' own, which begins
// just below 2^32. The game plays 100 frames once it is watched. With the argument "uncounted" it has no faults, as
// under Wine.
#include <cstdint>

#include "resources/faultline_frame.h"

namespace {

DWORD g_count = 0xFFFFFF00;

BOOL WINAPI count(HANDLE /*process*/, faultline_frame_memory* memory, DWORD /*size*/) {
  memory->page_faults = g_count;
  return TRUE;
}

bool watched() {
  const auto* const ring = static_cast<faultline_ring*>(faultline_frame_globals_1.ring);
  return faultline_frame_load(&ring->watched_until) > ring->born + std::uint64_t{FAULTLINE_FRAME_FIRST_NS};
}

}  // namespace

int main(int words, char** /*arguments*/) {
  if (faultline_frame_open() == nullptr) return 1;
  const bool counted = words == 1;
  if (!counted) g_count = 0;
  faultline_frame_globals_1.memory = count;
  for (DWORD number = 1; number <= 100; ++number) {
    if (number > 1) ::Sleep(5);
    if (counted) g_count += 10 * number;
    faultline_frame("render");
    for (int wait = 0; number == 1 && !watched() && wait < 6000; ++wait) ::Sleep(10);
  }
  return 0;
}
