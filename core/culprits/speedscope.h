// speedscope's own format, a JSON document: https://www.speedscope.app/file-format-schema.json.
#pragma once

#include <string>

#include "core/culprits/call_tree.h"

namespace faultline {

// Two profiles of the same stacks, outermost function first, below their thread: the page faults of each, and, if
// known, their time in ns. A stack whose time is not known is in the first alone.
[[nodiscard]] std::string speedscopeOf(const CallTree& root);

}  // namespace faultline
