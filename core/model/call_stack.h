// StackFrame: a stack frame of a call stack, as far as known. CallStack: all of them; Call: the same as a chain, so
// that call stacks share what they have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

struct Call {
  StackFrame frame;
  std::shared_ptr<const Call> caller;  // null: the outermost
  std::size_t depth = 1;               // stack frames from here to the outermost
};
using Calls = std::shared_ptr<const Call>;  // the innermost call; null: no call stack is known

[[nodiscard]] inline Calls callsOf(const CallStack& stack) {
  Calls calls;
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
    calls = std::make_shared<const Call>(Call{*frame, calls, calls ? calls->depth + 1 : 1});
  return calls;
}

[[nodiscard]] inline CallStack stackOf(const Calls& calls) {
  CallStack stack;
  for (const Call* call = calls.get(); call != nullptr; call = call->caller.get()) stack.push_back(call->frame);
  return stack;
}

}  // namespace faultline
