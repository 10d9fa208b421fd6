// The sampler of the system this was built for, and who is asking.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/sampling/clock.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// What may be measured where the system and this process's privileges allow it.
struct SamplerOptions {
  bool faultTime = true;  // time inside faults: costs each fault of every process 15 to 45 %
  bool sampling = true;   // time in clear_page by sampled instruction pointers
  std::string noSlot{};   // why none of that which costs everybody may be measured; empty: it may (timing_slot.h)
};

// Everything that needs a privilege is opened here; sample() works after all of them have been dropped.
[[nodiscard]] Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock,
                                                                 const SamplerOptions& options = {});
[[nodiscard]] std::uint32_t ownPid();

}  // namespace faultline
