// Fields: a sequence of numbers and texts, sent between this program and its child process. Input is not trusted: after
// reading beyond the end, all results are zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace faultline {

class FieldWriter {
 public:
  FieldWriter& number(std::uint64_t value) {
    m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  FieldWriter& text(std::string_view value) {
    number(value.size());
    m_bytes.append(value);
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
  [[nodiscard]] std::string take() { return std::move(m_bytes); }

 private:
  std::string m_bytes;
};

class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : m_rest(bytes) {}

  [[nodiscard]] std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view bytes = piece(sizeof value);
    if (m_ok) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  [[nodiscard]] std::string text() { return std::string(piece(number())); }
  [[nodiscard]] bool more() const { return m_ok && !m_rest.empty(); }
  [[nodiscard]] bool ok() const { return m_ok; }

 private:
  std::string_view piece(std::uint64_t size) {
    m_ok = m_ok && size <= m_rest.size();
    if (!m_ok) return {};
    const std::string_view bytes = m_rest.substr(0, size);
    m_rest.remove_prefix(size);
    return bytes;
  }

  std::string_view m_rest;
  bool m_ok = true;
};

}  // namespace faultline
