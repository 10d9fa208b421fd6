// BpfSampler: every process of the machine, what the kernel zeroes for it and how long its faults take, by BPF programs
// of Faultline's own, in one read a sweep. Times are CLOCK_MONOTONIC. Built without libbpf, there is none.
#pragma once

#include <memory>
#include <string>

#include "platform/sampling/clock.h"
#include "platform/sampling/linux/bpf/programs.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// sample() makes these system calls and no others: bpf(BPF_ITER_CREATE), read, close, pread64, clock_gettime; attend()
// ioctl(PERF_EVENT_IOC_ENABLE and _DISABLE).
[[nodiscard]] Result<std::unique_ptr<Sampler>, Unavailable> makeBpfSampler(const Clock& clock, bool faultTime,
                                                                           const std::string& noSlot = {});

}  // namespace faultline
