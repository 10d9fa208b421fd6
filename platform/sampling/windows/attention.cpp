#include "platform/sampling/windows/attention.h"

#include <algorithm>
#include <array>
#include <span>

#include "platform/sampling/attention.h"

namespace faultline {
namespace {

using Wishes = std::array<char, 256>;

}  // namespace

// How many bytes can be read without waiting; 0 if it has ended. A console, which may be asked for lines alone, counts
// as ended.
DWORD AttentionReader::readable() {
  DWORD count = 0;
  if (::PeekNamedPipe(m_input, nullptr, 0, nullptr, &count, nullptr) != 0) return count;
  if (::GetFileType(m_input) == FILE_TYPE_DISK) return sizeof(Wishes);
  m_input = nullptr;
  return 0;
}

bool AttentionReader::somebodyLooks() {
  if (m_input == nullptr) return true;
  Wishes wishes{};
  const DWORD wanted = std::min<DWORD>(readable(), sizeof(wishes));
  DWORD count = 0;
  if (wanted > 0 && (::ReadFile(m_input, wishes.data(), wanted, &count, nullptr) == 0 || count == 0)) m_input = nullptr;
  for (const char wish : std::span(wishes).first(count))
    if (wish == '+' || wish == '-') m_looks = wish == '+';
  if (m_input == nullptr) m_looks = true;
  return m_looks;
}

std::function<bool()> listenForAttention() {
  return [reader = AttentionReader(::GetStdHandle(STD_INPUT_HANDLE))]() mutable { return reader.somebodyLooks(); };
}

}  // namespace faultline
