// The records in the ring buffer of a perf event whose samples are IP | TID (perf_event_open(2)). Never reads beyond
// `head`, whatever the bytes are. Makes no system call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "platform/sampling/records/perf_record.h"

namespace faultline {

struct PerfSample {
  std::uint64_t address = 0;  // of an instruction in the kernel: must not leave this process
  std::uint32_t pid = 0;      // of the process, not of its thread

  bool operator==(const PerfSample&) const = default;
};

struct PerfRecords {
  std::vector<PerfSample> samples;
  std::uint64_t lost = 0;  // records lost because the ring was full, as reported by the first record after them
  bool full = false;       // no room for another sample: losses may follow, and are reported later
};

// Appends the records between `tail` and `head`, which count bytes since the ring was created. The ring's size is a
// power of two. Stops at a record of impossible size.
void readPerfRecords(std::span<const std::byte> ring, std::uint64_t tail, std::uint64_t head, PerfRecords& out);

}  // namespace faultline
