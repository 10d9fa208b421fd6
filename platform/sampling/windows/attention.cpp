#include "platform/sampling/windows/attention.h"

#include <algorithm>
#include <array>
#include <span>

namespace faultline {
namespace {

using Signs = std::array<char, 256>;

}  // namespace

// The bytes that can be read without blocking; 0 if the input has ended. A console, which offers only whole lines,
// counts as ended.
DWORD AttentionReader::readable() {
  DWORD count = 0;
  if (::PeekNamedPipe(m_input, nullptr, 0, nullptr, &count, nullptr) != 0) return count;
  if (::GetFileType(m_input) == FILE_TYPE_DISK) return sizeof(Signs);
  m_input = nullptr;
  return 0;
}

Attention AttentionReader::read() {
  if (m_input == nullptr) return {};
  Signs signs{};
  const DWORD wanted = std::min<DWORD>(readable(), sizeof(signs));
  DWORD count = 0;
  if (wanted > 0 && (::ReadFile(m_input, signs.data(), wanted, &count, nullptr) == 0 || count == 0)) m_input = nullptr;
  for (const char sign : std::span(signs).first(count)) m_told.take(sign);
  if (m_input == nullptr) m_told = {};
  return m_told;
}

std::function<Attention()> listenForAttention() {
  return [reader = AttentionReader(::GetStdHandle(STD_INPUT_HANDLE))]() mutable { return reader.read(); };
}

}  // namespace faultline
