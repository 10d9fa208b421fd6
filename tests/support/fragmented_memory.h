// Memory in pieces, so that the kernel has to move pages before it can hand out a large one.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace faultline::test {

// The number behind a word in a file of /proc; 0 if there is none.
inline std::uint64_t numberAfter(const char* file, const std::string& word) {
  std::ifstream text(file);
  std::uint64_t number = 0;
  for (std::string seen; text >> seen;)
    if (seen == word) text >> number;
  return number;
}
inline std::uint64_t compactions() {  // for which a program had to wait, since the system started
  return numberAfter("/proc/vmstat", "compact_stall");
}

// Takes nearly all free memory and gives every second page back; then takes the large pages that are left. All other
// programs feel it: for machines without others.
class FragmentedMemory {
 public:
  static constexpr std::uint64_t kMostKib = std::uint64_t{4} << 20U;  // of a machine, for which this is meant
  [[nodiscard]] static std::uint64_t machineKib() { return numberAfter("/proc/meminfo", "MemTotal:"); }

  FragmentedMemory()
      : m_bytes(((numberAfter("/proc/meminfo", "MemAvailable:") >> 10U) - kLeftMib) << 20U),
        m_pages(map(m_bytes, MADV_NOHUGEPAGE)),
        m_large(map(m_bytes, MADV_HUGEPAGE)) {
    for (std::size_t at = 0; at < m_bytes; at += kPage) m_pages[at] = 1;
    for (std::size_t at = 0; at < m_bytes; at += 2 * kPage) madvise(m_pages + at, kPage, MADV_DONTNEED);
    const std::uint64_t before = compactions();
    while (compactions() == before && m_taken < m_bytes / 4) takeLarge();
  }
  ~FragmentedMemory() {
    munmap(m_pages, m_bytes);
    munmap(m_large, m_bytes);
  }
  FragmentedMemory(const FragmentedMemory&) = delete;
  FragmentedMemory& operator=(const FragmentedMemory&) = delete;

  // Takes one more large page, such as one that another program has given back.
  void takeLarge() {
    if (m_taken < m_bytes / 3) m_large[m_taken] = 1;
    m_taken += kLarge;
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kLarge = std::size_t{2} << 20U;
  static constexpr std::uint64_t kLeftMib = 96;

  static char* map(std::size_t bytes, int advice) {
    void* const start =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(start, bytes, advice);
    return static_cast<char*>(start);
  }

  std::size_t m_bytes;
  char* m_pages;
  char* m_large;
  std::size_t m_taken = 0;
};

}  // namespace faultline::test
