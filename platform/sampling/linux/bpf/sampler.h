// BpfSampler: every process with its zeroed memory and the time of its faults, by Faultline's BPF programs, in one read
// per sweep. Times are of CLOCK_MONOTONIC. Not there in a build without libbpf.
#pragma once

#include <memory>

#include "platform/sampling/clock.h"
#include "platform/sampling/linux/bpf/programs.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// sample() makes these system calls and no others: bpf(BPF_ITER_CREATE and BPF_OBJ_GET_INFO_BY_FD), read,
// close, pread64, clock_gettime; attend()
// ioctl(PERF_EVENT_IOC_ENABLE and _DISABLE).
[[nodiscard]] Result<std::unique_ptr<Sampler>, Unavailable> makeBpfSampler(const Clock& clock, bool faultTime,
                                                                           const Unavailable& noSlot = {});

}  // namespace faultline
