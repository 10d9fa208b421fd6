// The stack reader by libdw, in the calling process. A game's files may be rewritten in place, or be malicious, so
// symbols/stack_reader.cpp runs this reader in a process of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/culprits/stack_frame.h"

namespace faultline {

[[nodiscard]] Result<std::unique_ptr<StackReader>> openLocalStackReader(std::uint32_t pid);

}  // namespace faultline
