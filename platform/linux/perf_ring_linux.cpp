#include "platform/linux/perf_ring_linux.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace faultline {
namespace {

// Samples of 24 bytes, 249 a second, wait for 10 s in it; that much is allowed without any privilege
// (/proc/sys/kernel/perf_event_mlock_kb for each processor).
constexpr std::size_t kRingBytes = std::size_t{64} * 1024;

std::size_t pageBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

tl::expected<PerfRing, int> PerfRing::open(perf_event_attr attributes, int processor) {
  PerfRing ring;
  attributes.size = sizeof attributes;
  ring.m_file = static_cast<int>(syscall(SYS_perf_event_open, &attributes, -1, processor, -1, PERF_FLAG_FD_CLOEXEC));
  if (ring.m_file < 0) return tl::unexpected(errno);
  void* const memory = mmap(nullptr, pageBytes() + kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring.m_file, 0);
  if (memory == MAP_FAILED) return tl::unexpected(errno == EPERM ? ENOBUFS : errno);
  ring.m_control = static_cast<perf_event_mmap_page*>(memory);
  return ring;
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : m_file(std::exchange(other.m_file, -1)), m_control(std::exchange(other.m_control, nullptr)) {}

PerfRing::~PerfRing() {
  if (m_control != nullptr) munmap(m_control, pageBytes() + kRingBytes);
  if (m_file >= 0) close(m_file);
}

void PerfRing::read(PerfRecords& out) {
  const std::uint64_t head = std::atomic_ref(m_control->data_head).load(std::memory_order_acquire);
  const auto* const data = reinterpret_cast<const std::byte*>(m_control) + pageBytes();
  readPerfRecords({data, kRingBytes}, m_control->data_tail, head, out);
  std::atomic_ref(m_control->data_tail).store(head, std::memory_order_release);
}

void PerfRing::discard() {
  const std::uint64_t head = std::atomic_ref(m_control->data_head).load(std::memory_order_acquire);
  std::atomic_ref(m_control->data_tail).store(head, std::memory_order_release);
}

// Fails for a processor that has gone, which has nothing to tell either way.
void PerfRing::enable(bool on) const {
  ioctl(m_file, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

}  // namespace faultline
