// What one call of faultline_frame() costs a game: while nobody watches, and while somebody does.
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "resources/faultline_frame.h"

namespace {

// Of our own processor time, in the best of a few rounds: others may be busy.
double nsPerCall(long calls) {
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const std::clock_t before = std::clock();
    for (long i = 0; i < calls; ++i) faultline_frame("bench");
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    best = std::min(best, seconds * 1e9 / static_cast<double>(calls));
  }
  return best;
}

}  // namespace

int main() {
  faultline_frame("bench");  // opens; from here on it is noting its first two seconds
  std::printf("watched    %7.1f ns a call\n", nsPerCall(100'000));
  while (faultline_frame_globals_1.own->ring->watched_until != 0) nsPerCall(100'000);
  std::printf("unwatched  %7.1f ns a call\n", nsPerCall(10'000'000));
}
