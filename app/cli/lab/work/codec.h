// The codec of experiment "pool": zlib, where the program was built with it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace faultline {

[[nodiscard]] Result<std::vector<std::byte>> compressed(std::span<const std::byte> text);
// Whether `packed` filled `text` exactly.
[[nodiscard]] bool decompress(std::span<const std::byte> packed, std::span<std::byte> text);

}  // namespace faultline
