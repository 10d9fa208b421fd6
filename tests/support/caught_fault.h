// A fault with registers and stack as in a FaultSample, taken by a signal handler at an access to protected memory.
#pragma once

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <functional>

#include "core/model/fault_sample.h"
#include "tests/support/plain.h"

namespace faultline::test {

struct CaughtFault {
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr std::size_t kMostStack = std::size_t{32} << 10U;

  std::array<std::uint64_t, 33> registers{};
  std::size_t registerCount = 0;
  std::array<std::byte, kMostStack> stack{};
  std::size_t stackBytes = 0;
  std::uint64_t stackEnd = 0;
  char* memory = nullptr;

  static CaughtFault& current() {
    static CaughtFault fault;
    return fault;
  }

  // Of the whole stack, with the parts around which a sanitizer keeps watch.
  FAULTLINE_PLAIN static void copy(const volatile std::byte* from, std::size_t bytes, std::byte* to) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
  }

  static void onSignal(int, siginfo_t*, void* context) {
    CaughtFault& fault = current();
    const mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    constexpr std::array kOrder{REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    fault.registerCount = kOrder.size();
    for (std::size_t i = 0; i < kOrder.size(); ++i)
      fault.registers[i] = static_cast<std::uint64_t>(machine.gregs[kOrder[i]]);
    const std::uint64_t pointer = fault.registers[7];
#else
    fault.registerCount = 33;
    std::copy(std::begin(machine.regs), std::end(machine.regs), fault.registers.begin());
    fault.registers[31] = machine.sp;
    fault.registers[32] = machine.pc;
    const std::uint64_t pointer = machine.sp;
#endif
    fault.stackBytes = std::min<std::size_t>(kMostStack, fault.stackEnd - pointer);
    copy(reinterpret_cast<const volatile std::byte*>(pointer), fault.stackBytes, fault.stack.data());
    mprotect(fault.memory, kPageBytes, PROT_READ | PROT_WRITE);
  }
};

// Calls touch(memory, size) with protected memory and returns its fault. Unsanitized: clang would look in front of the
// function for its type, where generated code has no memory.
__attribute__((no_sanitize("undefined"))) inline FaultSample catchFault(void (*touch)(char*, unsigned long)) {
  CaughtFault& fault = CaughtFault::current();
  pthread_attr_t attributes{};
  void* low = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  fault.stackEnd = reinterpret_cast<std::uint64_t>(low) + size;
  fault.memory =
      static_cast<char*>(mmap(nullptr, CaughtFault::kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction action{};
  struct sigaction before{};
  action.sa_sigaction = CaughtFault::onSignal;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before);
  touch(fault.memory, CaughtFault::kPageBytes);
  sigaction(SIGSEGV, &before, nullptr);
  munmap(fault.memory, CaughtFault::kPageBytes);

  FaultSample sample;
  sample.registers.assign(fault.registers.begin(),
                          fault.registers.begin() + static_cast<std::ptrdiff_t>(fault.registerCount));
  sample.stack.assign(fault.stack.begin(), fault.stack.begin() + static_cast<std::ptrdiff_t>(fault.stackBytes));
  return sample;
}

}  // namespace faultline::test
