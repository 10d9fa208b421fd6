// Quality of the BPF programs' numbers on this machine.
#pragma once

#include <optional>

#include "core/model/hello.h"

namespace faultline {

// Of the count of zeroed pages by mm_page_alloc. `initOnAlloc`: absent if not known; `spares`: some of the counted
// pages may not have been cleared.
[[nodiscard]] Quality zeroedQuality(std::optional<bool> initOnAlloc, bool spares);

// After the kernel has skipped a run of the programs.
[[nodiscard]] Quality withSkippedRuns(Quality quality);

}  // namespace faultline
