/* faultline_tracy.h: the page faults and the CPU time of each frame as plots in Tracy. Copy this file and
 * faultline_count.h into your program:
 *
 *   #include <tracy/Tracy.hpp>
 *   #include "faultline_tracy.h"
 *   for (;;) { update(); draw(); present(); FrameMark; faultline_tracy_frame(); }
 *
 * Call it from one thread, once per frame. The counts are of the whole process, exact, since the last call; the first
 * call plots nothing. They cost one or two system calls. On Windows soft and hard faults are one count, and the plot of
 * major faults is left out. Zeroed memory has no plot: a process cannot count it, Faultline's collector can. Without
 * TRACY_ENABLE the call does nothing. C++11.
 *
 * SPDX-License-Identifier: MIT-0
 */
#ifndef FAULTLINE_TRACY_H
#define FAULTLINE_TRACY_H

#if defined(TRACY_ENABLE)

#include "faultline_count.h"

inline void faultline_tracy_frame() {
  static faultline_counts total = faultline_count();
  static bool first = true;
  const faultline_counts frame = faultline_count_since(total);
  total.faults += frame.faults;
  total.major_faults += frame.major_faults;
  total.cpu_ns += frame.cpu_ns;
  if (first) {
    first = false;
    return;
  }
  TracyPlot("page faults per frame", static_cast<int64_t>(frame.faults));
#if !defined(_WIN32)
  TracyPlot("major page faults per frame", static_cast<int64_t>(frame.major_faults));
#endif
  TracyPlot("CPU time per frame, ms", static_cast<double>(frame.cpu_ns) / 1e6);
}

#else

inline void faultline_tracy_frame() {}

#endif

#endif
