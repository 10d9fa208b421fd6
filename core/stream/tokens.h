// MessagePack as a flat list of tokens, and a reader for it. Depth and number of tokens are limited; no memory is
// reserved by a count that the bytes claim. Views point into the tokenised bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace faultline::wire {

inline constexpr std::size_t kMaxTokens = std::size_t{1} << 21U;
inline constexpr unsigned kMaxDepth = 8;
// Upper bounds of times (uptime of 36 years; the year 2116), so that sums of a few times cannot overflow.
inline constexpr Nanoseconds kLongestUp = Nanoseconds::max() / 8;
inline constexpr Nanoseconds kLatestWall = Nanoseconds::max() / 2;

enum class TokenType : std::uint8_t { Other, Unsigned, Negative, Bytes, Array, Map };

struct Token {
  TokenType type = TokenType::Other;
  std::uint32_t size = 0;  // bytes of text or binary; elements of an array; pairs of a map
  union {
    std::uint64_t number = 0;
    const char* data;
  };
};

// Overwrites `out`. False unless `bytes` is exactly one MessagePack value within these limits.
[[nodiscard]] bool tokenise(std::span<const std::byte> bytes, std::vector<Token>& out);

// Only the first `count` tokens, of bytes that are not looked at any further. False if there are fewer.
[[nodiscard]] bool tokeniseHead(std::span<const std::byte> bytes, std::size_t count, std::vector<Token>& out);

// Reads tokens in order. A token of the wrong type makes the reader fail permanently; a failed reader returns zeros.
class TokenReader {
 public:
  explicit TokenReader(std::span<const Token> tokens) : m_tokens(tokens) {}

  [[nodiscard]] bool ok() const { return m_ok; }
  void fail() { m_ok = false; }

  [[nodiscard]] std::uint64_t u64();
  [[nodiscard]] std::int64_t i64();
  [[nodiscard]] Nanoseconds time(Nanoseconds most = kLongestUp);  // fails if negative or beyond `most`
  [[nodiscard]] std::string_view bytes();                         // text or binary
  [[nodiscard]] std::string_view bytes(std::size_t most) { return bytes().substr(0, most); }
  [[nodiscard]] std::uint32_t array();
  [[nodiscard]] std::uint32_t map();
  void skip(std::uint64_t values = 1);  // including their elements

 private:
  const Token* take(TokenType type);

  std::span<const Token> m_tokens;
  std::size_t m_next = 0;
  bool m_ok = true;
};

}  // namespace faultline::wire
