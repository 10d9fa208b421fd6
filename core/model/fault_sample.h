// FaultSample: one page fault of a watched game, told whole, so that its culprit can be found: which thread, which
// mapping, which line. Samples are some of the faults; GameFrame counts them all. A sample belongs to the frame in
// whose time it lies, whenever it arrives. Times are CLOCK_MONOTONIC's; what could not be read is absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace faultline {

// What the processor was about when it faulted (x86: the error code's bits).
struct FaultAccess {
  bool write = false;
  bool present = false;  // a page was there and did not allow it: copy on write, as a rule
  bool execute = false;

  bool operator==(const FaultAccess&) const = default;
};

// The mapping that holds the address, as it was at the fault.
struct FaultMapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool writable = false;
  bool executable = false;
  bool shared = false;
  bool file = false;
  std::string name;  // file: its path, or its last part where no more is known. Else "[heap]", "[stack]", or empty

  bool operator==(const FaultMapping&) const = default;
};

struct FaultSample {
  MonotonicTime time;        // when it ended
  std::uint32_t thread = 0;  // its id
  std::string threadName;    // the bytes the kernel gave; empty: not known
  std::uint64_t address = 0;
  std::uint64_t weight = 1;  // how many faults it stands for
  bool major = false;
  bool inKernel = false;  // the kernel touched the page for the program, in a system call
  std::optional<Nanoseconds> took;
  std::optional<FaultAccess> access;
  std::optional<FaultMapping> mapping;
  // The program's own, at the fault or at its system call, in DWARF's order for the machine: x86-64 17 (rax, rdx, rcx,
  // rbx, rsi, rdi, rbp, rsp, r8 to r15, rip), aarch64 33 (x0 to x30, sp, pc). Empty: not known.
  std::vector<std::uint64_t> registers;
  std::vector<std::byte> stack;  // what lay there from the stack pointer on; may be cut anywhere

  bool operator==(const FaultSample&) const = default;
};

// What came since the batch before. `lost` is that of the whole stream.
struct FaultSampleBatch {
  std::uint64_t lost = 0;  // samples that were wanted and could not be kept
  std::vector<FaultSample> samples;

  bool operator==(const FaultSampleBatch&) const = default;
};

}  // namespace faultline
