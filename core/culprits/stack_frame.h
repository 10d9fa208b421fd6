// StackFrame: a stack frame of a call stack, as far as known. StackReader reads the call stacks of samples.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/fault_sample.h"

namespace faultline {

struct StackFrame {
  std::string function;      // "Level::load", without parameters; empty if unknown
  std::string module;        // path of the file that contains it; empty if none
  std::uint64_t offset = 0;  // of the instruction, in the module's own addresses; without a module, its address
  std::string file;          // path of the source; empty if unknown
  int line = 0;              // of the instruction or the call; 0 if unknown
  bool inlined = false;      // into the following stack frame
  bool system = false;       // from a system library or its headers

  bool operator==(const StackFrame&) const = default;
};

// Innermost stack frame first. The last is kTruncatedStack if the call stack could not be read to its beginning.
using CallStack = std::vector<StackFrame>;
inline constexpr std::string_view kTruncatedStack = "…";

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
