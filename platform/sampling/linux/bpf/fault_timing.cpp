#include "platform/sampling/linux/bpf/fault_timing.h"

#include <sys/mman.h>
#include <unistd.h>

namespace faultline {

std::string timedBy(FaultTiming timing) {
  if (timing.way == FaultWay::Event)
    return "BPF from page_fault_user or page_fault_kernel to the perf event of the fault's accounting, without pages "
           "populated in advance (MAP_POPULATE)";
  return std::string("BPF from ") +
         (timing.entry ? "the beginning of handle_mm_fault" : "page_fault_user or page_fault_kernel") +
         " to the end of handle_mm_fault, including pages populated in advance (MAP_POPULATE)";
}

void makeFault() {
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  *static_cast<volatile char*>(page) = 1;
  munmap(page, bytes);
}

void makeSwitch(const std::uint32_t& seen) {
  for (int i = 0; i < 10 && __atomic_load_n(&seen, __ATOMIC_RELAXED) == 0; ++i) usleep(1000);
}

Unavailable noFaultSeen() {
  return {.why = "The kernel accepts the BPF programs for it, but does not run them", .enable = {}};
}

}  // namespace faultline
