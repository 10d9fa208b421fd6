#include "platform/sampling/records/perf_ring_records.h"

#include <cassert>

namespace faultline {
namespace {

constexpr std::size_t kSampleBytes = 24;  // header included

}  // namespace

void readPerfRecords(std::span<const std::byte> ring, std::uint64_t tail, std::uint64_t head, PerfRecords& out) {
  assert(ring.size() >= kSampleBytes && (ring.size() & (ring.size() - 1)) == 0);
  const PerfUnread unread{ring, tail, head};
  if (head - tail > ring.size()) return;
  out.full = out.full || unread.room() <= kSampleBytes;
  forEachPerfRecord(unread, [&](const PerfRecord& record) {
    if (record.type == kPerfLost) out.lost += lostPerfRecords(record);
    if (record.type != kPerfSample) return;
    std::span<const std::byte> body = record.body;
    PerfSample sample;
    std::uint32_t thread = 0;
    if (takePerf(body, sample.address) && takePerf(body, sample.pid) && takePerf(body, thread))
      out.samples.push_back(sample);
  });
}

}  // namespace faultline
