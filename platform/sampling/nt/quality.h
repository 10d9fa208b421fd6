// How good each of the Windows sampler's numbers is on this machine, in words.
#pragma once

#include <optional>
#include <string>

#include "core/model/hello.h"
#include "platform/sampling/nt/functions.h"
#include "platform/sampling/nt/process_table.h"
#include "platform/sampling/nt/system_values.h"
#include "platform/sampling/nt/zero_threads.h"

namespace faultline {

// What was found at the start; it stays so.
struct NtView {
  NtFields fields;
  std::optional<NtCounters> counters;           // absent: the class cannot be read
  std::string noMemoryLists;                    // why there are none; empty if there are
  std::optional<ZeroThreadTotals> zeroThreads;  // absent: process 4 is not there
};

void describeNtQuality(const NtView& view, const NtHost& host, Hello& hello);

}  // namespace faultline
