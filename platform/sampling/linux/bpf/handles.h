// What libbpf gives out, owned; and the few steps that every set of programs takes. Errors are errno's numbers.
#pragma once

#include <bpf/libbpf.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
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

// The programs' only variable that is written while they run is all of its section, a map of one value.
template <class T>
[[nodiscard]] BpfShared<T> mapBpfShared(const BpfObject& object) {
  const bpf_map* const map = bpf_object__find_map_by_name(object.get(), ".bss");
  if (bpf_map__value_size(map) != sizeof(T)) std::abort();
  void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
  return BpfShared<T>(memory == MAP_FAILED ? nullptr : static_cast<T*>(memory));
}

[[nodiscard]] BpfObject openBpfObject(const BpfBytes& bytes);
// Nothing and errno if one of the programs is refused.
[[nodiscard]] BpfObject loadBpfObject(BpfObject object);

// These add what they make to `links`, and return 0 or an error.
[[nodiscard]] int attachBpf(const BpfObject& object, const char* program, std::vector<BpfLink>& links);
// To every page fault of that kind (PERF_COUNT_SW_PAGE_FAULTS_...) on every processor that is switched on; one that
// comes later is not measured. The events belong to the links, and are switched off.
[[nodiscard]] int attachBpfToFaults(const BpfObject& object, const char* program, std::uint64_t kind,
                                    std::vector<BpfLink>& links, std::vector<int>& events);

}  // namespace faultline
