// Text that ends right before an unreadable page: reading one byte beyond the text crashes.
#pragma once

#include <cstring>
#include <string_view>

namespace faultline::test {

// Readable and writable pages, followed by an inaccessible page.
struct GuardedMemory {
  char* begin = nullptr;
  char* guard = nullptr;
};
[[nodiscard]] GuardedMemory mapGuarded(std::size_t atLeast);
void unmapGuarded(const GuardedMemory& memory);

class GuardedText {
 public:
  explicit GuardedText(std::string_view text) : m_memory(mapGuarded(text.size())), m_size(text.size()) {
    if (!text.empty()) std::memcpy(m_memory.guard - m_size, text.data(), m_size);
  }
  ~GuardedText() { unmapGuarded(m_memory); }
  GuardedText(const GuardedText&) = delete;
  GuardedText& operator=(const GuardedText&) = delete;

  [[nodiscard]] std::string_view view() const { return {m_memory.guard - m_size, m_size}; }

 private:
  GuardedMemory m_memory;
  std::size_t m_size;
};

}  // namespace faultline::test
