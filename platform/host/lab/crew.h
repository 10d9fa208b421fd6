// ProcessCrew: child processes that do the same step of work at the same time, for the lab. Its end ends them, and
// waits for that.
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/hidden.h"
#include "core/base/result.h"
#include "core/base/units.h"

namespace faultline {

// Of all children together, in one step.
struct CrewUsage {
  std::uint64_t faults = 0;  // minor and major
  Nanoseconds processor{0};
};

class ProcessCrew {
 public:
  // Forks a single-threaded process. Each child runs `work` with the number of a step. Error: the system's reason, or
  // that it has no fork().
  [[nodiscard]] static Result<ProcessCrew> start(std::size_t count, const std::function<void(std::uint8_t)>& work);

  // Returns once all children have done the step. Error: a child has ended.
  [[nodiscard]] Result<CrewUsage> together(std::uint8_t step);

 private:
  struct State;
  explicit ProcessCrew(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

}  // namespace faultline
