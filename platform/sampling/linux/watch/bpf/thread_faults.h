// BPF programs that run at page faults of one process's present and future threads, or at hardware breakpoints in them.
// Other processes are not affected.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "platform/sampling/linux/perf/event.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {

struct FaultProgram {
  int program = -1;           // descriptor
  std::uint64_t kind = 0;     // PERF_COUNT_SW_PAGE_FAULTS...
  std::uint64_t address = 0;  // if not 0: of an instruction of the process, before which the program runs
};

// The programs run while `events` live, until the process becomes another program; `folder` is the process's.
// A program may run twice at a fault. 0, or errno; EAGAIN: new threads begin all the time.
[[nodiscard]] int attachBpfToThreads(const ProcessFolder& folder, std::span<const FaultProgram> programs,
                                     std::vector<PerfEvent>& events);

}  // namespace faultline
