// Ring: a queue of plain values in one block of memory that tells how much memory it takes. Grows by a quarter, gives
// back what it no longer needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace faultline {

// What an allocation of `bytes` really takes: glibc's header and rounding, which the others do not beat.
[[nodiscard]] constexpr std::size_t allocatedBytes(std::size_t bytes) {
  return bytes == 0 ? 0 : std::max<std::size_t>(32, (bytes + 8 + 15) / 16 * 16);
}

template <class T>
class Ring {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] std::uint32_t size() const { return m_size; }
  [[nodiscard]] bool empty() const { return m_size == 0; }
  [[nodiscard]] T& operator[](std::uint32_t i) { return m_data[wrapped(i)]; }
  [[nodiscard]] const T& operator[](std::uint32_t i) const { return m_data[wrapped(i)]; }
  [[nodiscard]] T& front() { return (*this)[0]; }
  [[nodiscard]] const T& front() const { return (*this)[0]; }
  [[nodiscard]] T& back() { return (*this)[m_size - 1]; }
  [[nodiscard]] const T& back() const { return (*this)[m_size - 1]; }
  [[nodiscard]] std::size_t bytes() const { return allocatedBytes(m_capacity * sizeof(T)); }

  // Each of these keeps `account`, the owner's sum of bytes(), true.
  void push(const T& value, std::size_t& account) {
    if (m_size == m_capacity) resize(grown(), account);
    ++m_size;
    back() = value;
  }
  void pop(std::uint32_t count, std::size_t& account) {
    m_head = wrapped(count);
    m_size -= count;
    if (m_size == 0 || m_size < m_capacity / 2) resize(m_size, account);
  }
  void clear(std::size_t& account) { pop(m_size, account); }
  void shrink(std::size_t& account) {
    if (m_size < m_capacity) resize(m_size, account);
  }

 private:
  [[nodiscard]] std::uint32_t wrapped(std::uint32_t i) const {
    const std::uint32_t at = m_head + i;
    return at < m_capacity ? at : at - m_capacity;
  }
  [[nodiscard]] std::uint32_t grown() const {
    if (m_capacity == 0) return std::max<std::uint32_t>(1, 24 / sizeof(T));  // the smallest block there is
    return m_capacity + (m_capacity < 16 ? m_capacity / 2 + 1 : m_capacity / 4);
  }
  void resize(std::uint32_t capacity, std::size_t& account) {
    std::unique_ptr<T[]> data(capacity == 0 ? nullptr : new T[capacity]);
    for (std::uint32_t i = 0; i < m_size; ++i) data[i] = (*this)[i];
    account -= bytes();
    m_data = std::move(data);
    m_head = 0;
    m_capacity = capacity;
    account += bytes();
  }

  std::unique_ptr<T[]> m_data;
  std::uint32_t m_head = 0;
  std::uint32_t m_size = 0;
  std::uint32_t m_capacity = 0;
};

}  // namespace faultline
