// How good a count of zeroed pages by mm_page_alloc is on this machine, in words.
#pragma once

#include <optional>

#include "core/model/hello.h"

namespace faultline {

// `initOnAlloc`: nothing if it is not known; `spares`: some of the pages that are counted may not have been cleared.
[[nodiscard]] Quality zeroedQuality(std::optional<bool> initOnAlloc, bool spares);

}  // namespace faultline
