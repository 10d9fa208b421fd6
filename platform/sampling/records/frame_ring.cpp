#include "platform/sampling/records/frame_ring.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/marks/own_mark.h"

#define FAULTLINE_FRAME_LAYOUT_ONLY
#include "resources/faultline_frame.h"

namespace faultline {
namespace {

constexpr std::uint64_t kRecords = FAULTLINE_FRAME_RECORDS;
constexpr std::uint64_t kOvertaken = 16;  // records begun after an unfinished record: its writer is stuck

std::uint64_t load(std::uint64_t& number, std::memory_order order = std::memory_order_relaxed) {
  return std::atomic_ref(number).load(order);
}

MonotonicTime timeOf(std::uint64_t nanoseconds) {
  return {Nanoseconds(static_cast<std::int64_t>(nanoseconds))};
}

}  // namespace

std::size_t FrameRing::bytes() {
  return FAULTLINE_FRAME_HEAD + kRecords * sizeof(faultline_record);
}

tl::unexpected<Error> FrameRing::otherVersion() {
  return fail("The game's frame marks are of another version. Build it with this version's faultline_frame.h.");
}

Result<FrameRing> FrameRing::over(std::shared_ptr<void> memory, MonotonicTime now) {
  FrameRing ring(std::move(memory));
  const std::uint64_t magic = load(ring.m_ring->magic, std::memory_order_acquire);
  if (magic != 0 && magic != FAULTLINE_FRAME_MAGIC) return otherVersion();
  if (magic == 0) return fail("The game is still creating its frame marks. Try again.");
  const std::uint64_t born = load(ring.m_ring->born);
  const auto time = static_cast<std::uint64_t>(now.sinceEpoch.count());
  const bool fresh = born > time || time - born < std::uint64_t{FAULTLINE_FRAME_FIRST_NS};  // or created after `now`
  ring.m_next = fresh ? 0 : load(ring.m_ring->head);
  return ring;
}

FrameRing::FrameRing(std::shared_ptr<void> memory)
    : m_memory(std::move(memory)), m_ring(static_cast<faultline_ring*>(m_memory.get())) {}

std::uint32_t FrameRing::owner() const {
  return static_cast<std::uint32_t>(load(m_ring->pid));
}

std::uint64_t FrameRing::notedAt() const {
  return load(m_ring->noted);
}

std::string FrameRing::name(unsigned mark) const {
  std::string text;
  for (const char& slot : m_ring->names[mark % FAULTLINE_FRAME_MARKS]) {
    const char letter = *const_cast<const volatile char*>(&slot);
    if (letter == '\0') break;
    text += letter;
  }
  return text;
}

std::vector<std::string> FrameRing::names() const {
  std::vector<std::string> names;
  for (unsigned mark = 0; mark < FAULTLINE_FRAME_MARKS; ++mark) names.push_back(name(mark));
  return names;
}

std::optional<unsigned> FrameRing::find(const std::string& wanted) const {
  const std::vector<std::string> all = names();
  const auto found = std::ranges::find(all, wanted);
  const auto mark = wanted.empty()       ? preferredMark(all)
                    : found != all.end() ? std::optional(static_cast<std::size_t>(found - all.begin()))
                                         : std::nullopt;
  return mark ? std::optional(static_cast<unsigned>(*mark)) : std::nullopt;
}

void FrameRing::watchUntil(MonotonicTime time) {
  const auto until = static_cast<std::uint64_t>(time.sinceEpoch.count());
  std::atomic_ref(m_ring->watched_until).store(until, std::memory_order_relaxed);
}

std::optional<RingRecord> FrameRing::next() {
  const std::uint64_t head = load(m_ring->head, std::memory_order_acquire);
  if (head - m_next > kRecords) m_next = head - kRecords;
  for (; m_next != head; ++m_next) {
    if (auto record = read(m_next)) {
      ++m_next;
      return record;
    }
    if (head - m_next < kOvertaken) return std::nullopt;
  }
  return std::nullopt;
}

// The game writes the ticket last, and clears it before it writes anything else.
std::optional<RingRecord> FrameRing::read(std::uint64_t ticket) const {
  auto* const records = reinterpret_cast<faultline_record*>(reinterpret_cast<char*>(m_ring) + FAULTLINE_FRAME_HEAD);
  faultline_record& record = records[ticket & (kRecords - 1)];
  if (load(record.ticket, std::memory_order_acquire) != ticket + 1) return std::nullopt;
  const std::uint64_t who = load(record.who);
  RingRecord copy{
      .mark = static_cast<unsigned>(who >> 32U),
      .frame = {
          .number = load(record.number), .time = timeOf(load(record.time)), .thread = static_cast<std::uint32_t>(who)}};
  copy.frame.values.setFaults(load(record.minor_faults), load(record.major_faults));
  copy.frame.values.set(FrameMetric::ThreadMinorFaults, load(record.thread_minor_faults));
  copy.frame.values.set(FrameMetric::ThreadMajorFaults, load(record.thread_major_faults));
  std::atomic_thread_fence(std::memory_order_acquire);
  return load(record.ticket) == ticket + 1 ? std::optional(copy) : std::nullopt;
}

}  // namespace faultline
