#include "platform/linux/perf_ring_records.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace faultline {
namespace {

// The kernel's numbers and layouts, include/uapi/linux/perf_event.h.
constexpr std::uint32_t kLost = 2;
constexpr std::uint32_t kSample = 9;

struct Header {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  std::uint16_t size = 0;  // header included
};
struct Sample {
  Header header;
  std::uint64_t address = 0;
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
};
struct Lost {
  Header header;
  std::uint64_t id = 0;
  std::uint64_t lost = 0;
};
static_assert(sizeof(Header) == 8 && sizeof(Sample) == 24 && sizeof(Lost) == 24);

// A record may begin near the ring's end and go on at its start.
template <class Record>
Record read(std::span<const std::byte> ring, std::uint64_t position) {
  std::array<std::byte, sizeof(Record)> bytes{};
  const auto begin = static_cast<std::size_t>(position & (ring.size() - 1));
  const std::size_t atEnd = std::min(bytes.size(), ring.size() - begin);
  std::memcpy(bytes.data(), ring.data() + begin, atEnd);
  std::memcpy(bytes.data() + atEnd, ring.data(), bytes.size() - atEnd);
  Record record;
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

}  // namespace

void readPerfRecords(std::span<const std::byte> ring, std::uint64_t tail, std::uint64_t head, PerfRecords& out) {
  assert(ring.size() >= sizeof(Sample) && (ring.size() & (ring.size() - 1)) == 0);
  if (head - tail > ring.size()) return;
  out.full = out.full || ring.size() - (head - tail) <= sizeof(Sample);
  while (head - tail >= sizeof(Header)) {
    const auto header = read<Header>(ring, tail);
    if (header.size < sizeof(Header) || header.size > head - tail) return;
    if (header.type == kSample && header.size >= sizeof(Sample)) {
      const auto sample = read<Sample>(ring, tail);
      out.samples.push_back({sample.address, sample.pid});
    } else if (header.type == kLost && header.size >= sizeof(Lost)) {
      out.lost += read<Lost>(ring, tail).lost;
    }
    tail += header.size;
  }
}

}  // namespace faultline
