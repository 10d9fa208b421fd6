// CodeFrame: one function of a call stack, as far as it can be told. StackReader makes call stacks of samples.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/fault_sample.h"

namespace faultline {

struct CodeFrame {
  std::string function;      // "Level::load", without parameters; empty: not known
  std::string module;        // the file that holds it, with its path; empty: code of no file
  std::uint64_t offset = 0;  // of the instruction in the module, as its symbols count; without a module: its address
  std::string file;          // of the source, with its path; empty: not known
  int line = 0;              // that runs or has called; 0: not known
  bool inlined = false;      // into the frame that follows
  bool system = false;       // of the system's libraries or their headers, not of the game

  bool operator==(const CodeFrame&) const = default;
};

// Innermost first. Where it could not be followed to its beginning, the last is kCutStack.
using CodeStack = std::vector<CodeFrame>;
inline constexpr std::string_view kCutStack = "…";

class StackReader {
 public:
  virtual ~StackReader() = default;

  // Learns what read() will need, while the game lives. Cheap; to be called when a sample arrives.
  virtual void notice(const FaultSample& sample) = 0;
  // Empty where nothing can be told. The first that meets a module may take seconds, the others microseconds.
  [[nodiscard]] virtual CodeStack read(const FaultSample& sample) = 0;
};

}  // namespace faultline
