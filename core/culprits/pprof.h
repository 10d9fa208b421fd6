// pprof's format, a profile as Protocol Buffers in gzip: https://github.com/google/pprof/blob/main/proto/profile.proto.
#pragma once

#include <cstdint>
#include <string>

#include "core/culprits/call_tree.h"

namespace faultline {

// A sample for each stack of the tree: its own page faults, the minor and the major ones of them (counts), a page for
// each (bytes; 0: unknown, and left out) and, if known, their time (ns). The root's children are threads: labels.
[[nodiscard]] std::string pprofOf(const CallTree& root, std::uint64_t pageBytes);

}  // namespace faultline
