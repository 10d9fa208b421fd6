// The stack reader by libdw, in the calling process. A game's files may be rewritten in place, or be malicious, so
// symbols/stack_reader.cpp runs this reader in a process of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "platform/host/stack_reader.h"

namespace faultline {

[[nodiscard]] Result<std::unique_ptr<GameStackReader>> openLocalStackReader(std::uint32_t pid);

}  // namespace faultline
