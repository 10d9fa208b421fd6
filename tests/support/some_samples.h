// Fault samples for tests, and a stack reader with given call stacks.
#pragma once

#include <map>

#include "core/culprits/stack_frame.h"

namespace faultline::test {

inline FaultSample sampleAt(Nanoseconds time, std::uint64_t page = 1) {
  FaultSample sample;
  sample.time = {time};
  sample.thread = 77;
  sample.threadName = "loader";
  sample.address = page << 12U;
  sample.mapping.emplace().end = UINT64_MAX;
  sample.access = FaultAccess{.write = true};
  return sample;
}

inline StackFrame codeOf(std::string function, int line = 0) {
  return {.function = std::move(function),
          .module = "/games/game",
          .offset = 0x1234,
          .file = line > 0 ? "/src/level.cpp" : "",
          .line = line,
          .inlined = false,
          .system = false};
}

inline StackFrame systemCodeOf(std::string function) {
  StackFrame frame = codeOf(std::move(function));
  frame.module = "/usr/lib/libc.so.6";
  frame.system = true;
  return frame;
}

// Selects the call stack by the first register.
struct FakeStackReader final : StackReader {
  std::map<std::uint64_t, CallStack> stacks;
  std::size_t noticed = 0;

  void notice(const FaultSample&) override { ++noticed; }
  CallStack read(const FaultSample& sample) override {
    return sample.registers.empty() ? CallStack() : stacks[sample.registers.front()];
  }
};

}  // namespace faultline::test
