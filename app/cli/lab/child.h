// The process of one experiment: runs it, and writes to standard output a line "P TEXT" for progress, where it is
// traced a line "S FROM TO NAME" for each run, with the steady clock in ns, a line "R JSON" with the result, and then
// "F OWN CHILDREN", the page faults of the process and of its ended children so far. The process then has no further
// fault until it is ended.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/lab/bench.h"

namespace faultline {

[[nodiscard]] int runLabChild(const std::string& name, const BenchOptions& options, bool traced, std::uint32_t parent);

}  // namespace faultline
