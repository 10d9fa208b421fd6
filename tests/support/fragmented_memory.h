// Memory in pieces, so that the kernel has to move pages before it can hand out a large one.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace faultline::test {

// Takes nearly all free memory and gives every second page back; then takes the large pages that are left. All other
// programs feel it: for machines without others, whose kernel gives large pages to everybody.
class FragmentedMemory {
 public:
  static constexpr std::uint64_t kMostKib = std::uint64_t{4} << 20U;  // of a machine, for which this is meant
  [[nodiscard]] static std::uint64_t machineKib() { return numberAfter("/proc/meminfo", "MemTotal:"); }

  FragmentedMemory()
      : m_bytes(((numberAfter("/proc/meminfo", "MemAvailable:") >> 10U) - kLeftMib) << 20U),
        m_pages(map(m_bytes)),
        m_large(map(m_bytes)) {
    madvise(m_pages, m_bytes, MADV_NOHUGEPAGE);
    for (std::size_t at = 0; at < m_bytes; at += kPage) m_pages[at] = 1;
    for (std::size_t at = 0; at < m_bytes; at += 2 * kPage) madvise(m_pages + at, kPage, MADV_DONTNEED);
    takeLarge();
  }
  ~FragmentedMemory() {
    munmap(m_pages, m_bytes);
    munmap(m_large, m_bytes);
  }
  FragmentedMemory(const FragmentedMemory&) = delete;
  FragmentedMemory& operator=(const FragmentedMemory&) = delete;

  // Takes the free large pages, such as those that another program has given back. This memory asks for none (madvise),
  // so that the kernel does not make any for it.
  void takeLarge() {
    const std::uint64_t before = refusals();
    while (refusals() == before && m_taken < m_bytes) {
      m_large[m_taken] = 1;
      m_taken += kLarge;
    }
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kLarge = std::size_t{2} << 20U;
  static constexpr std::uint64_t kLeftMib = 96;

  // The number behind a word in a file of /proc; 0 if there is none.
  static std::uint64_t numberAfter(const char* file, const std::string& word) {
    std::ifstream text(file);
    std::uint64_t number = 0;
    for (std::string seen; text >> seen;)
      if (seen == word) text >> number;
    return number;
  }
  static std::uint64_t refusals() {  // small pages in place of a large one, since the system started
    return numberAfter("/proc/vmstat", "thp_fault_fallback");
  }

  static char* map(std::size_t bytes) {
    return static_cast<char*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }

  std::size_t m_bytes;
  char* m_pages;
  char* m_large;
  std::size_t m_taken = 0;
};

}  // namespace faultline::test
