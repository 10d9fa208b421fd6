// The records in the ring buffer of a perf event whose samples are IP | TID (perf_event_open(2)). Pure: whatever the
// bytes say, nothing beyond `head` is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "platform/sampling/records/perf_record.h"

namespace faultline {

struct PerfSample {
  std::uint64_t address = 0;  // of the instruction; the kernel's: never to leave this process
  std::uint32_t pid = 0;      // of the process, not of its thread

  bool operator==(const PerfSample&) const = default;
};

struct PerfRecords {
  std::vector<PerfSample> samples;
  std::uint64_t lost = 0;  // records that found the ring full, as told by the first one that did not
  bool full = false;       // no room was left for another sample: some may have been lost, which is told later
};

// Appends what lies between `tail` and `head`, which count bytes since the ring was made. The ring's size is a power of
// two. A record that cannot be right ends the reading: nobody knows where the next one begins.
void readPerfRecords(std::span<const std::byte> ring, std::uint64_t tail, std::uint64_t head, PerfRecords& out);

}  // namespace faultline
