// TimingSlot: the right to run something at everybody's page faults. Each collector that does makes them slower, so few
// may at once, however many run. Errors are sentences that name those who hold the others.
#pragma once

#include <memory>
#include <string>

namespace faultline {

struct TimingSlot {
  std::shared_ptr<void> held;  // for as long as this lives
  std::string refusal;         // why there is none; empty: there is
};

inline constexpr const char* kEndAnother = "End one of the other collectors.";

// While the caller still is who it was started as. A program that could not measure so anyway needs none.
[[nodiscard]] TimingSlot takeTimingSlot();

}  // namespace faultline
