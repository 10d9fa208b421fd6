// Work on pages: touching each, and more of them than Windows keeps zeroed.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "platform/host/lab/memory.h"

namespace faultline {

// Writes to the first byte of each `step`.
void touchPages(std::span<std::byte> memory, std::size_t step = pageBytes());

// For half a second, takes memory, touches each page and gives all back: more than the list of zeroed pages needs, so
// that the threads zero what was given back.
[[nodiscard]] Result<void> askForPages();

}  // namespace faultline
