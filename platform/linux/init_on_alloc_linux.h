// Whether the kernel clears every page that it hands out, asked for or not (init_on_alloc): from its command line, and
// from what it was configured with where that can be read in /boot.
#pragma once

#include <string_view>

namespace faultline {

[[nodiscard]] bool initOnAlloc(std::string_view commandLine, std::string_view configuration);
[[nodiscard]] bool initOnAlloc();

}  // namespace faultline
