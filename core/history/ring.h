// Ring: a queue of plain values in one block of memory of known size. Grows by an eighth and shrinks when possible. An
// empty ring is a null pointer; most of history's rings are empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace faultline {

// Memory taken by an allocation of `bytes`: glibc's header and rounding; other allocators need no less.
[[nodiscard]] constexpr std::size_t allocatedBytes(std::size_t bytes) {
  return bytes == 0 ? 0 : std::max<std::size_t>(32, (bytes + 8 + 15) / 16 * 16);
}

template <class T>
class Ring {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr unsigned kBits = 21;
  static constexpr std::uint32_t kMost = (1U << kBits) - 1;  // most values in a ring

  [[nodiscard]] std::uint32_t size() const { return m_block ? header().size() : 0; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] T& operator[](std::uint32_t i) { return data()[wrapped(i)]; }
  [[nodiscard]] const T& operator[](std::uint32_t i) const { return data()[wrapped(i)]; }
  [[nodiscard]] T& front() { return (*this)[0]; }
  [[nodiscard]] const T& front() const { return (*this)[0]; }
  [[nodiscard]] T& back() { return (*this)[size() - 1]; }
  [[nodiscard]] const T& back() const { return (*this)[size() - 1]; }
  [[nodiscard]] std::size_t bytes() const { return m_block ? allocatedBytes(blockBytes(header().capacity())) : 0; }

  // These functions update `account`, the owner's sum of bytes().
  void push(const T& value, std::size_t& account) {
    if (!m_block || size() == header().capacity()) resize(grown(), account);
    header() = {header().head(), size() + 1, header().capacity()};
    back() = value;
  }
  void pop(std::uint32_t count, std::size_t& account) {
    if (count == 0) return;
    header() = {wrapped(count), size() - count, header().capacity()};
    if (empty() || size() < header().capacity() / 2) resize(size(), account);
  }
  void clear(std::size_t& account) { pop(size(), account); }
  void shrink(std::size_t& account) {
    if (m_block && size() < header().capacity()) resize(size(), account);
  }

 private:
  // Packed: a short-lived process leaves dozens of rings with one or two values each.
  class Header {
   public:
    Header(std::uint32_t head, std::uint32_t size, std::uint32_t capacity)
        : m_packed(head | std::uint64_t{size} << kBits | std::uint64_t{capacity} << (2 * kBits)) {}
    [[nodiscard]] std::uint32_t head() const { return m_packed & kMost; }
    [[nodiscard]] std::uint32_t size() const { return (m_packed >> kBits) & kMost; }
    [[nodiscard]] std::uint32_t capacity() const { return static_cast<std::uint32_t>(m_packed >> (2 * kBits)); }

   private:
    std::uint64_t m_packed;
  };
  static constexpr std::size_t kDataAt = (sizeof(Header) + alignof(T) - 1) / alignof(T) * alignof(T);

  [[nodiscard]] static constexpr std::size_t blockBytes(std::uint32_t capacity) {
    return kDataAt + capacity * sizeof(T);
  }
  [[nodiscard]] Header& header() { return *reinterpret_cast<Header*>(m_block.get()); }
  [[nodiscard]] const Header& header() const { return *reinterpret_cast<const Header*>(m_block.get()); }
  [[nodiscard]] T* data() { return reinterpret_cast<T*>(m_block.get() + kDataAt); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(m_block.get() + kDataAt); }

  [[nodiscard]] std::uint32_t wrapped(std::uint32_t i) const {
    const std::uint32_t at = header().head() + i;
    return at < header().capacity() ? at : at - header().capacity();
  }
  [[nodiscard]] std::uint32_t grown() const {
    if (!m_block) return 1;
    const std::uint32_t capacity = header().capacity();
    return std::min(capacity + (capacity < 16 ? capacity / 2 + 1 : capacity / 8), kMost);
  }
  void resize(std::uint32_t capacity, std::size_t& account) {
    Ring other;
    if (capacity > 0) {
      other.m_block = std::make_unique_for_overwrite<std::byte[]>(blockBytes(capacity));
      other.header() = {0, size(), capacity};
      for (std::uint32_t i = 0; i < size(); ++i) other.data()[i] = (*this)[i];
    }
    account += other.bytes() - bytes();
    m_block = std::move(other.m_block);
  }

  std::unique_ptr<std::byte[]> m_block;  // a Header, then the values
};

}  // namespace faultline
