// The stack reader by libdw, in the process that calls it. Files of a game can be rewritten in place, or made to harm:
// symbols/stack_reader.cpp gives it a process of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/culprits/stack_frame.h"

namespace faultline {

[[nodiscard]] Result<std::unique_ptr<StackReader>> openLocalStackReader(std::uint32_t pid);

}  // namespace faultline
