// Text that ends right in front of an unreadable page: whoever reads one byte past it dies.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <string_view>

namespace faultline::test {

class GuardedText {
 public:
  explicit GuardedText(std::string_view text) : m_size(text.size()) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    m_readable = (text.size() + page - 1) / page * page;
    m_mapped = m_readable + page;
    void* const memory = mmap(nullptr, m_mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    m_memory = static_cast<char*>(memory);
    mprotect(m_memory + m_readable, page, PROT_NONE);
    if (!text.empty()) std::memcpy(m_memory + m_readable - m_size, text.data(), m_size);
  }
  ~GuardedText() { munmap(m_memory, m_mapped); }
  GuardedText(const GuardedText&) = delete;
  GuardedText& operator=(const GuardedText&) = delete;

  [[nodiscard]] std::string_view view() const { return {m_memory + m_readable - m_size, m_size}; }

 private:
  std::size_t m_size;
  std::size_t m_readable = 0;
  std::size_t m_mapped = 0;
  char* m_memory = nullptr;
};

}  // namespace faultline::test
