// Calls of a known depth, some of them inlined, that touch memory, for tests of call stacks. Built with and without
// debug information, unwind tables and frame pointers.
#include "tests/support/programs/deep_calls.h"

#include <cstring>
#include <vector>

namespace deep {

// Prevents a tail call, which would be missing in the call stack.
#define STAY_ON_THE_STACK asm volatile("" : : : "memory")

inline __attribute__((always_inline)) void touch(char* memory) {
  *const_cast<volatile char*>(memory) = 1;  // line: touch
}

namespace {

struct Filler {  // has no symbol
  __attribute__((always_inline)) static void fill(char* memory) {
    touch(memory);  // line: fill
  }
};

}  // namespace

struct World {
  template <class Byte>
  __attribute__((noinline, visibility("hidden"))) static void build(Byte* memory, long) {
    Filler::fill(memory);  // line: build
    STAY_ON_THE_STACK;
  }
};

}  // namespace deep

extern "C" void deepTouch(char* memory, unsigned long) {
  deep::World::build(memory, 1);  // line: deepTouch
  STAY_ON_THE_STACK;
}

extern "C" void deepClear(char* memory, unsigned long bytes) {
  std::memset(memory, 0, bytes);  // line: deepClear
  STAY_ON_THE_STACK;
}
