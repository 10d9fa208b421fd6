// The records in the ring buffer of a perf event (perf_event_open(2)). Never reads beyond `head`, whatever the bytes
// are. Makes no system call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace faultline {

// The kernel's numbers, include/uapi/linux/perf_event.h.
inline constexpr std::uint32_t kPerfLost = 2;
inline constexpr std::uint32_t kPerfComm = 3;
inline constexpr std::uint32_t kPerfSample = 9;

// The unread part of a ring. Its size is a power of two; `tail` and `head` count bytes since the ring was created.
struct PerfUnread {
  std::span<const std::byte> ring;
  std::uint64_t tail = 0;
  std::uint64_t head = 0;

  [[nodiscard]] std::uint64_t room() const { return ring.size() - (head - tail); }  // if head - tail <= ring.size()
};

struct PerfRecord {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  std::span<const std::byte> body;  // without the header
};

namespace perf_detail {

struct Header {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  std::uint16_t size = 0;  // header included
};
static_assert(sizeof(Header) == 8);

// A record may begin near the end of the ring and continue at its start.
inline void copy(const PerfUnread& unread, std::uint64_t position, std::byte* to, std::size_t size) {
  const auto begin = static_cast<std::size_t>(position & (unread.ring.size() - 1));
  const std::size_t atEnd = std::min(size, unread.ring.size() - begin);
  std::memcpy(to, unread.ring.data() + begin, atEnd);
  std::memcpy(to + atEnd, unread.ring.data(), size - atEnd);
}

}  // namespace perf_detail

// Calls visit(PerfRecord) for each record. Stops at a record of impossible size, which hides the start of the next.
template <class Visit>
void forEachPerfRecord(const PerfUnread& unread, Visit visit) {
  using perf_detail::Header;
  std::vector<std::byte> whole;  // a record that continues at the start of the ring
  std::uint64_t tail = unread.tail;
  if (unread.head - tail > unread.ring.size()) return;
  while (unread.head - tail >= sizeof(Header)) {
    Header header;
    perf_detail::copy(unread, tail, reinterpret_cast<std::byte*>(&header), sizeof header);
    if (header.size < sizeof(Header) || header.size > unread.head - tail) return;
    const std::size_t size = header.size - sizeof(Header);
    const auto begin = static_cast<std::size_t>((tail + sizeof(Header)) & (unread.ring.size() - 1));
    const std::byte* body = unread.ring.data() + begin;
    if (begin + size > unread.ring.size()) {
      whole.resize(size);
      perf_detail::copy(unread, tail + sizeof(Header), whole.data(), size);
      body = whole.data();
    }
    visit(PerfRecord{header.type, header.misc, {body, size}});
    tail += header.size;
  }
}

// Takes a value from the front of `body`. False, and `value` unchanged, if the body is too short.
template <class Value>
[[nodiscard]] bool takePerf(std::span<const std::byte>& body, Value& value) {
  if (body.size() < sizeof value) return false;
  std::memcpy(&value, body.data(), sizeof value);
  body = body.subspan(sizeof value);
  return true;
}

// The number of records lost before a record of type kPerfLost because the ring was full; 0 if the record is too short.
[[nodiscard]] inline std::uint64_t lostPerfRecords(const PerfRecord& record) {
  std::span<const std::byte> body = record.body;
  std::uint64_t event = 0;
  std::uint64_t lost = 0;
  return takePerf(body, event) && takePerf(body, lost) ? lost : 0;
}

}  // namespace faultline
