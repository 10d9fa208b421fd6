// Adds sampled zeroing time to what another sampler measures, or the reason why there is none.
#pragma once

#include <memory>

#include "platform/sampler.h"

namespace faultline {

// `wanted`: the user has not switched it off.
[[nodiscard]] std::unique_ptr<Sampler> withClearPageSampling(std::unique_ptr<Sampler> sampler, bool wanted);

}  // namespace faultline
