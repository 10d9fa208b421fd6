// The cost of a call of faultline_frame(): watched, in a process of one thread and of two, and unwatched.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <semaphore>
#include <thread>

#include "resources/faultline_frame.h"

namespace {

// CPU time of this process, the best of a few rounds, because other processes may be busy.
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
  faultline_frame("bench");  // creates the ring, which is watched for the first two seconds
  std::printf("watched, one thread:  %7.1f ns per call\n", nsPerCall(100'000));
  std::binary_semaphore end(0);
  std::thread second([&] { end.acquire(); });
  std::printf("watched, two threads: %7.1f ns per call\n", nsPerCall(100'000));
  while (faultline_frame_globals_1.own->ring->watched_until != 0) nsPerCall(100'000);
  std::printf("unwatched:            %7.1f ns per call\n", nsPerCall(10'000'000));
  end.release();
  second.join();
}
