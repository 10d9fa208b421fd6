// pprof's format, a profile as Protocol Buffers, without compression, which its readers accept, too:
// https://github.com/google/pprof/blob/main/proto/profile.proto.
#pragma once

#include <string>

#include "core/culprits/call_tree.h"

namespace faultline {

// A sample for each stack of the tree: its own page faults (count) and, if known, their time (ns). The root's children
// are threads: labels.
[[nodiscard]] std::string pprofOf(const CallTree& root);

}  // namespace faultline
