// BPF programs that run at the page faults of one process's threads, those that it will have included, or at hardware
// breakpoints in them. No other process meets them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "platform/sampling/linux/perf/event.h"

namespace faultline {

struct FaultProgram {
  int program = -1;           // its descriptor
  std::uint64_t kind = 0;     // PERF_COUNT_SW_PAGE_FAULTS...
  std::uint64_t address = 0;  // else: of an instruction of the process, before which the program runs
};

// Has them run for as long as `events` live, until the process becomes another program; `folder` is that of the process
// in /proc. A program may run twice at a fault. 0, or errno; EAGAIN: there are always threads that have only just
// begun.
[[nodiscard]] int attachBpfToThreads(int folder, std::span<const FaultProgram> programs,
                                     std::vector<PerfEvent>& events);

}  // namespace faultline
