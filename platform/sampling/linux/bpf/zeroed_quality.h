// Quality of the count of zeroed pages by mm_page_alloc on this machine.
#pragma once

#include <optional>

#include "core/model/hello.h"

namespace faultline {

// `initOnAlloc`: absent if not known; `spares`: some of the counted pages may not have been cleared.
[[nodiscard]] Quality zeroedQuality(std::optional<bool> initOnAlloc, bool spares);

}  // namespace faultline
