// speedscope's own format, a JSON document: https://www.speedscope.app/file-format-schema.json.
#pragma once

#include <cstdint>
#include <string>

#include "core/culprits/call_tree.h"

namespace faultline {

// Profiles of the same stacks, outermost function first, below their thread: the page faults of each; if there are
// major ones, the minor and the major ones of them; a page for each in bytes (0: unknown, and left out); and, if known,
// their time in ns. A stack whose time is not known is not in the last.
[[nodiscard]] std::string speedscopeOf(const CallTree& root, std::uint64_t pageBytes);

}  // namespace faultline
