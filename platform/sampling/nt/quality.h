// The quality of each number of the Windows sampler on this machine.
#pragma once

#include <optional>
#include <string>

#include "core/model/hello.h"
#include "platform/sampling/nt/functions.h"
#include "platform/sampling/nt/process_table.h"
#include "platform/sampling/nt/system_values.h"
#include "platform/sampling/nt/zero_threads.h"

namespace faultline {

// The findings at the start; they do not change.
struct NtView {
  NtFields fields;
  std::optional<NtCounters> counters;  // absent: SystemPerformanceInformation cannot be read
  std::string noMemoryLists;           // why SystemMemoryListInformation cannot be read; empty if it can
  NtLists lists = NtLists::None;
  std::optional<ZeroThreadTotals> zeroThreads;  // absent: there is no process 4
  bool systemCycles = false;                    // the cycles of process 4 are counted
  bool ownCycles = false;                       // those of this process
};

void describeNtQuality(const NtView& view, const NtHost& host, Hello& hello);

}  // namespace faultline
