// The keys of `top`: the change of state by each key. Makes no system call.
#pragma once

#include <cstddef>

#include "app/cli/top/view.h"
#include "platform/host/key.h"

namespace faultline {

// Returns false if the key quits. `rows`: rows of the table; `page`: rows that fit on the screen.
[[nodiscard]] bool pressKey(const Key& key, std::size_t rows, std::size_t page, TopState& state);

}  // namespace faultline
