#include "platform/sampling/linux/watch/frame_ring.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#define FAULTLINE_FRAME_LAYOUT_ONLY
#include "resources/faultline_frame.h"

namespace faultline {
namespace {

constexpr std::uint64_t kRecords = FAULTLINE_FRAME_RECORDS;
constexpr std::size_t kBytes = FAULTLINE_FRAME_HEAD + kRecords * sizeof(faultline_record);
constexpr std::uint64_t kOvertaken = 16;  // records begun after an unfinished record: its writer is stuck

std::uint64_t load(std::uint64_t& number, std::memory_order order = std::memory_order_relaxed) {
  return std::atomic_ref(number).load(order);
}

// A file that the game could shorten would end this program with SIGBUS.
bool keepsItsSize(const UniqueFd& file) {
  struct stat status{};
  const int seals = fcntl(file.get(), F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(file.get(), &status) == 0 &&
         status.st_size == static_cast<off_t>(kBytes);
}

tl::unexpected<Error> otherVersion() {
  return fail("The game's frame marks are of another version. Build it with this version's faultline_frame.h.");
}

MonotonicTime timeOf(std::uint64_t nanoseconds) {
  return {Nanoseconds(static_cast<std::int64_t>(nanoseconds))};
}

}  // namespace

Result<FrameRing> FrameRing::open(const UniqueFd& file, MonotonicTime now) {
  if (!keepsItsSize(file)) return otherVersion();
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.get(), 0);
  if (memory == MAP_FAILED)
    return fail(std::string("The game's frame marks cannot be read: ") + std::strerror(errno) + ".");
  FrameRing ring(static_cast<faultline_ring*>(memory));
  const std::uint64_t magic = load(ring.m_ring->magic, std::memory_order_acquire);
  if (magic != 0 && magic != FAULTLINE_FRAME_MAGIC) return otherVersion();
  if (magic == 0) return fail("The game is still creating its frame marks. Try again.");
  const std::uint64_t born = load(ring.m_ring->born);
  const auto time = static_cast<std::uint64_t>(now.sinceEpoch.count());
  const bool fresh = born > time || time - born < std::uint64_t{FAULTLINE_FRAME_FIRST_NS};  // or created after `now`
  ring.m_next = fresh ? 0 : load(ring.m_ring->head);
  return ring;
}

FrameRing::FrameRing(faultline_ring* ring) : m_ring(ring) {}
FrameRing::FrameRing(FrameRing&& other) noexcept : m_ring(std::exchange(other.m_ring, nullptr)), m_next(other.m_next) {}
FrameRing::~FrameRing() {
  if (m_ring != nullptr) munmap(m_ring, kBytes);
}

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
  const RingRecord copy{.mark = static_cast<unsigned>(who >> 32U),
                        .frame = {.number = load(record.number),
                                  .time = timeOf(load(record.time)),
                                  .thread = static_cast<std::uint32_t>(who),
                                  .minorFaults = load(record.minor_faults),
                                  .majorFaults = load(record.major_faults),
                                  .ownMinorFaults = load(record.thread_minor_faults),
                                  .ownMajorFaults = load(record.thread_major_faults)}};
  std::atomic_thread_fence(std::memory_order_acquire);
  return load(record.ticket) == ticket + 1 ? std::optional(copy) : std::nullopt;
}

}  // namespace faultline
