// StackReader reads the call stacks of samples.
#pragma once

#include "core/model/call_stack.h"
#include "core/model/fault_sample.h"

namespace faultline {

class StackReader {
 public:
  virtual ~StackReader() = default;

  // Collects what read() needs while the game runs. Cheap; call it when a sample arrives.
  virtual void notice(const FaultSample& sample) = 0;
  // Empty if the call stack is unknown. The first read of a module may take seconds, others take microseconds.
  [[nodiscard]] virtual CallStack read(const FaultSample& sample) = 0;
  // For callers that cannot wait: begins to read this sample, and says whether read() answers at once.
  [[nodiscard]] virtual bool ready(const FaultSample& /*sample*/) { return true; }
};

}  // namespace faultline
