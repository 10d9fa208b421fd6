// Memory whose every page comes late: a fault there cannot end before another thread provides the page.
#pragma once

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>

namespace faultline::test {

class LateMemory {
 public:
  using Duration = std::chrono::nanoseconds;

  explicit LateMemory(std::size_t pages)
      : m_pages(pages),
        m_memory(static_cast<char*>(
            mmap(nullptr, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    m_file = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC));
    uffdio_api api{.api = UFFD_API, .features = 0, .ioctls = 0};
    uffdio_register range{};
    range.range = {.start = reinterpret_cast<std::uintptr_t>(m_memory), .len = pages * kPage};
    range.mode = UFFDIO_REGISTER_MODE_MISSING;
    m_works = m_file >= 0 && ioctl(m_file, UFFDIO_API, &api) == 0 && ioctl(m_file, UFFDIO_REGISTER, &range) == 0;
  }
  ~LateMemory() {
    close(m_file);
    munmap(m_memory, m_pages * kPage);
  }
  LateMemory(const LateMemory&) = delete;
  LateMemory& operator=(const LateMemory&) = delete;

  [[nodiscard]] bool works() const { return m_works; }

  // Each page comes after `delay`. The thread that provides it goes on running for `spin`: with the class FIFO and on
  // the processor of the calling thread, which cannot go on before, though it is awake.
  void touchAll(Duration delay, Duration spin = {}) const {
    std::thread provider([&] { provide(delay, spin); });
    for (std::size_t i = 0; i < m_pages; ++i) static_cast<volatile char*>(m_memory)[i * kPage] = 1;
    provider.join();
  }

 private:
  static constexpr std::size_t kPage = 4096;

  void provide(Duration delay, Duration spin) const {
    const sched_param first{.sched_priority = 1};
    if (spin > Duration()) sched_setscheduler(0, SCHED_FIFO, &first);
    for (std::size_t i = 0; i < m_pages; ++i) {
      uffd_msg message{};
      if (read(m_file, &message, sizeof message) != sizeof message) return;
      std::this_thread::sleep_for(delay);
      uffdio_zeropage page{};
      page.range = {.start = message.arg.pagefault.address / kPage * kPage, .len = kPage};
      ioctl(m_file, UFFDIO_ZEROPAGE, &page);
      const auto end = std::chrono::steady_clock::now() + spin;
      while (std::chrono::steady_clock::now() < end) continue;
    }
  }

  std::size_t m_pages;
  char* m_memory;
  int m_file = -1;
  bool m_works = false;
};

}  // namespace faultline::test
