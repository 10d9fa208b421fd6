#include "platform/sampling/linux/perf/ring.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace faultline {
namespace {

// Room for 10 s of samples of 24 bytes, 249 per second. Needs no privilege: kernel.perf_event_mlock_kb allows that much
// for each processor.
constexpr std::size_t kRingBytes = std::size_t{64} * 1024;

std::size_t pageBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Result<PerfRing, int> PerfRing::open(const perf_event_attr& attributes, int processor) {
  auto event = PerfEvent::open(attributes, {.thread = -1, .processor = processor});
  if (!event) return tl::unexpected(event.error());
  return map(std::move(*event), kRingBytes);
}

Result<PerfRing, int> PerfRing::map(PerfEvent event, std::size_t bytes) {
  PerfRing ring(std::move(event), bytes);
  void* const memory = mmap(nullptr, pageBytes() + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring.m_event.file(), 0);
  if (memory == MAP_FAILED) return tl::unexpected(errno == EPERM ? ENOBUFS : errno);
  ring.m_control = static_cast<perf_event_mmap_page*>(memory);
  return ring;
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : m_event(std::move(other.m_event)), m_bytes(other.m_bytes), m_control(std::exchange(other.m_control, nullptr)) {}

PerfRing::~PerfRing() {
  if (m_control != nullptr) munmap(m_control, pageBytes() + m_bytes);
}

PerfUnread PerfRing::unread() const {
  const std::uint64_t head = std::atomic_ref(m_control->data_head).load(std::memory_order_acquire);
  const auto* const data = reinterpret_cast<const std::byte*>(m_control) + pageBytes();
  return {.ring = {data, m_bytes}, .tail = m_control->data_tail, .head = head};
}

void PerfRing::release(const PerfUnread& read) {
  std::atomic_ref(m_control->data_tail).store(read.head, std::memory_order_release);
}

void PerfRing::read(PerfRecords& out) {
  const PerfUnread records = unread();
  readPerfRecords(records.ring, records.tail, records.head, out);
  release(records);
}

void PerfRing::discard() {
  release(unread());
}

}  // namespace faultline
