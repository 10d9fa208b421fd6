#include "core/stream/tokens.h"

#include <limits>
#include <msgpack.hpp>

namespace faultline::wire {
namespace {

class Flattener : public msgpack::null_visitor {
 public:
  explicit Flattener(std::vector<Token>& out, std::size_t most = kMaxTokens) : m_out(out), m_most(most) {}

  bool visit_nil() { return add({}); }
  bool visit_boolean(bool) { return add({}); }
  bool visit_float32(float) { return add({}); }
  bool visit_float64(double) { return add({}); }
  bool visit_ext(const char*, std::uint32_t) { return add({}); }
  bool visit_positive_integer(std::uint64_t value) { return add({TokenType::Unsigned, 0, {value}}); }
  bool visit_negative_integer(std::int64_t value) {
    // MessagePack's signed formats may hold a non-negative value.
    return add({value < 0 ? TokenType::Negative : TokenType::Unsigned, 0, {static_cast<std::uint64_t>(value)}});
  }
  bool visit_str(const char* data, std::uint32_t size) { return visit_bin(data, size); }
  bool visit_bin(const char* data, std::uint32_t size) {
    Token token{TokenType::Bytes, size, {}};
    token.data = data;
    return add(token);
  }
  bool start_array(std::uint32_t count) { return ++m_depth <= kMaxDepth && add({TokenType::Array, count, {}}); }
  bool end_array() {
    --m_depth;
    return true;
  }
  bool start_map(std::uint32_t pairs) { return ++m_depth <= kMaxDepth && add({TokenType::Map, pairs, {}}); }
  bool end_map() { return end_array(); }

 private:
  bool add(Token token) {
    if (m_out.size() == m_most) return false;
    m_out.push_back(token);
    return true;
  }

  std::vector<Token>& m_out;
  std::size_t m_most;
  unsigned m_depth = 0;
};

// Whether the bytes are one value and nothing else.
bool flatten(std::span<const std::byte> bytes, Flattener flattener) {
  if (bytes.empty()) return false;
  try {
    std::size_t offset = 0;
    return msgpack::parse(reinterpret_cast<const char*>(bytes.data()), bytes.size(), offset, flattener) &&
           offset == bytes.size();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

bool tokenise(std::span<const std::byte> bytes, std::vector<Token>& out) {
  out.clear();
  return flatten(bytes, Flattener(out));
}

bool tokeniseHead(std::span<const std::byte> bytes, std::size_t count, std::vector<Token>& out) {
  out.clear();
  static_cast<void>(flatten(bytes, Flattener(out, count)));
  return out.size() == count;
}

const Token* TokenReader::take(TokenType type) {
  if (!m_ok || m_next == m_tokens.size() || m_tokens[m_next].type != type) {
    m_ok = false;
    return nullptr;
  }
  return &m_tokens[m_next++];
}

std::uint64_t TokenReader::u64() {
  const Token* token = take(TokenType::Unsigned);
  return token != nullptr ? token->number : 0;
}

std::int64_t TokenReader::i64() {
  if (m_ok && m_next < m_tokens.size() && m_tokens[m_next].type == TokenType::Negative) {
    return static_cast<std::int64_t>(m_tokens[m_next++].number);
  }
  const std::uint64_t value = u64();
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    m_ok = false;
    return 0;
  }
  return static_cast<std::int64_t>(value);
}

Nanoseconds TokenReader::time(Nanoseconds most) {
  const std::uint64_t count = u64();
  if (count <= static_cast<std::uint64_t>(most.count())) return Nanoseconds(static_cast<std::int64_t>(count));
  m_ok = false;
  return {};
}

std::string_view TokenReader::bytes() {
  const Token* token = take(TokenType::Bytes);
  return token != nullptr ? std::string_view(token->data, token->size) : std::string_view();
}

std::uint32_t TokenReader::array() {
  const Token* token = take(TokenType::Array);
  return token != nullptr ? token->size : 0;
}

std::uint32_t TokenReader::map() {
  const Token* token = take(TokenType::Map);
  return token != nullptr ? token->size : 0;
}

void TokenReader::skip(std::uint64_t values) {
  for (; values > 0 && m_ok; --values) {
    if (m_next == m_tokens.size()) {
      m_ok = false;
      return;
    }
    const Token& token = m_tokens[m_next++];
    if (token.type == TokenType::Array) values += token.size;
    if (token.type == TokenType::Map) values += std::uint64_t{2} * token.size;
  }
}

}  // namespace faultline::wire
