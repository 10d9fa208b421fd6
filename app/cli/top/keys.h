// What the keys do to top. Pure.
#pragma once

#include <cstddef>

#include "app/cli/top/view.h"
#include "platform/host/key.h"

namespace faultline {

// False when the key means to quit. `rows` is how many there are to scroll through, `page` how many fit.
[[nodiscard]] bool pressKey(const Key& key, std::size_t rows, std::size_t page, TopState& state);

}  // namespace faultline
