// The frequency of the processors, for the lab: a repetition in which it changes is disturbed.
#pragma once

#include <cstdint>
#include <optional>

namespace faultline {

// In kHz, of the processor that runs the calling thread, as the system tells it below `folder`. Allocates nothing.
// Absent: the system does not tell it.
[[nodiscard]] std::optional<std::uint64_t> processorFrequency(const char* folder = "/sys/devices/system/cpu");

}  // namespace faultline
