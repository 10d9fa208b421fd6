// Adds sampled zeroing time, or the reason why it is unavailable, to the metrics of another sampler.
#pragma once

#include <memory>
#include <string>

#include "platform/sampling/sampler.h"

namespace faultline {

// `wanted`: the user has not switched sampling off. `noSlot`: why no timing slot is free; no reason: a slot is held.
[[nodiscard]] std::unique_ptr<Sampler> withClearPageSampling(std::unique_ptr<Sampler> sampler, bool wanted,
                                                             const Unavailable& noSlot = {});

}  // namespace faultline
