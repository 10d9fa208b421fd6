// Owners for libbpf's handles, and the steps that all sets of programs share. Errors are errno values.
#pragma once

#include <bpf/libbpf.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "platform/sampling/linux/bpf/kernel/bytes.h"

namespace faultline {

struct CloseBpf {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
  void operator()(bpf_link* link) const { bpf_link__destroy(link); }
  void operator()(ring_buffer* ring) const { ring_buffer__free(ring); }
};
using BpfObject = std::unique_ptr<bpf_object, CloseBpf>;
using BpfLink = std::unique_ptr<bpf_link, CloseBpf>;
using BpfRing = std::unique_ptr<ring_buffer, CloseBpf>;

template <class T>
struct UnmapBpf {
  void operator()(T* shared) const { munmap(shared, sizeof(T)); }
};
template <class T>
using BpfShared = std::unique_ptr<T, UnmapBpf<T>>;

// Maps the section .bss, a map of one value: the only variable that the programs write.
template <class T>
[[nodiscard]] BpfShared<T> mapBpfShared(const BpfObject& object) {
  const bpf_map* const map = bpf_object__find_map_by_name(object.get(), ".bss");
  if (bpf_map__value_size(map) != sizeof(T)) std::abort();
  void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
  return BpfShared<T>(memory == MAP_FAILED ? nullptr : static_cast<T*>(memory));
}

[[nodiscard]] BpfObject openBpfObject(const BpfBytes& bytes);
// Null, with errno set, if a program is refused.
[[nodiscard]] BpfObject loadBpfObject(BpfObject object);

// These functions append to `links`, and return 0 or an error.
[[nodiscard]] int attachBpf(const BpfObject& object, const char* program, std::vector<BpfLink>& links);
// Attaches to every page fault of this kind (PERF_COUNT_SW_PAGE_FAULTS_...) on every processor that is online now. The
// events belong to the links, and are disabled.
[[nodiscard]] int attachBpfToFaults(const BpfObject& object, const char* program, std::uint64_t kind,
                                    std::vector<BpfLink>& links, std::vector<int>& events);

inline constexpr const char* kCountsAgain =
    "countZeroedAgain";  // what the program before it could not (kernel/zeroing.h)

// Times that the kernel skipped a run of one of these programs, because it had preempted the same program on that
// processor (recursion_misses in bpf_prog_info); absent before Linux 5.12. At most so many runs of the first of two
// programs for the same events are lost as of the second. Needs no privilege since Linux 5.19.
[[nodiscard]] std::optional<std::uint64_t> skippedRuns(const BpfObject& object);

}  // namespace faultline
