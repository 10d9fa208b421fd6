// The sampler of the system this was built for, and who is asking.
#pragma once

#include <cstdint>
#include <memory>

#include "platform/clock.h"
#include "platform/sampler.h"

namespace faultline {

[[nodiscard]] Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock);
[[nodiscard]] std::uint32_t ownPid();

}  // namespace faultline
