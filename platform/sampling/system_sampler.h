// The sampler of the system that this program was built for.
#pragma once

#include <cstdint>
#include <memory>

#include "core/model/quality.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// The metrics to measure if the system and the privileges of this process allow.
struct SamplerOptions {
  bool faultTime = true;  // time in page faults; makes each fault of every process 15 to 45 % longer
  bool sampling = true;   // time in clear_page by sampled instruction pointers
  Unavailable noSlot{};   // why nothing may be measured that slows all processes; no reason: it may (timing_slot.h)
};

// Opens everything that needs privileges. sample() then needs only Sampler::needs().
[[nodiscard]] Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock,
                                                                 const SamplerOptions& options = {});
[[nodiscard]] std::uint32_t ownPid();  // of this process

}  // namespace faultline
