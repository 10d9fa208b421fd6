// Adds sampled zeroing time to what another sampler measures, or the reason why there is none.
#pragma once

#include <memory>
#include <string>

#include "platform/sampling/sampler.h"

namespace faultline {

// `wanted`: the user has not switched it off. `noSlot`: why it may not be done besides; empty: it may.
[[nodiscard]] std::unique_ptr<Sampler> withClearPageSampling(std::unique_ptr<Sampler> sampler, bool wanted,
                                                             const std::string& noSlot = {});

}  // namespace faultline
