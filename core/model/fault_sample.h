// FaultSample: one page fault of a watched game with its thread, mapping and call stack, to find its culprit. Only some
// faults are sampled; GameFrame counts them all. A sample belongs to the frame that contains its time, whenever it
// arrives. Times are of CLOCK_MONOTONIC; a value that could not be read is absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/call_stack.h"

namespace faultline {

// The access that faulted (x86: bits of the error code).
struct FaultAccess {
  bool write = false;
  bool present = false;  // a page was there and forbade the access: usually copy on write
  bool execute = false;

  bool operator==(const FaultAccess&) const = default;
};

// The mapping that held the address at the time of the fault.
struct FaultMapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool writable = false;
  bool executable = false;
  bool shared = false;
  bool file = false;
  std::string name;  // path of the file, or the known last part of the path; else "[heap]", "[stack]", or empty

  bool operator==(const FaultMapping&) const = default;
};

struct FaultSample {
  MonotonicTime time;        // end of the fault
  std::uint32_t thread = 0;  // its id
  std::string threadName;    // bytes from the kernel; empty: not known
  std::uint64_t address = 0;
  std::uint64_t weight = 1;  // number of faults that the sample stands for
  bool major = false;
  bool inKernel = false;  // the kernel touched the page for the program, in a system call
  std::optional<Nanoseconds> took;
  std::optional<FaultAccess> access;
  std::optional<FaultMapping> mapping;
  // In user mode, at the fault or at the system call; in DWARF's order: x86-64 17 (rax, rdx, rcx, rbx, rsi, rdi, rbp,
  // rsp, r8 to r15, rip), aarch64 33 (x0 to x30, sp, pc). One alone: the address of the code. Empty: not known.
  std::vector<std::uint64_t> registers;
  std::vector<std::byte> stack;  // memory from the stack pointer on; may be cut anywhere
  Calls calls{};                 // the call stack, where it has been read; in recordings, in place of these two

  bool operator==(const FaultSample&) const = default;
};

// The samples since the previous batch.
struct FaultSampleBatch {
  std::uint64_t lost = 0;  // in the whole stream: samples that were wanted, but could not be kept
  std::vector<FaultSample> samples;

  bool operator==(const FaultSampleBatch&) const = default;
};

}  // namespace faultline
