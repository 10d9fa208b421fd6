#include "platform/sampling/nt/buffer.h"

#include <array>
#include <cstdio>

namespace faultline {
namespace {

constexpr int kTries = 16;
constexpr std::size_t kLargest = std::size_t{256} << 20;

// An eighth more than needed, because a list may grow between two queries.
std::size_t nextSize(std::size_t asked, std::size_t told) {
  if (told > asked) return told + told / 8;
  return told > 0 && told < asked ? told : asked * 2;
}

std::string refusal(NtClass what, std::uint32_t status) {
  std::array<char, 96> sentence{};
  std::snprintf(sentence.data(), sentence.size(), "NtQuerySystemInformation fails for class %u with status 0x%08X",
                static_cast<unsigned>(what), static_cast<unsigned>(status));
  return sentence.data();
}

}  // namespace

Result<std::span<const std::byte>> NtBuffer::read(const NtFunctions& nt) {
  std::uint32_t status = kNtLengthMismatch;
  for (int tries = 0; tries < kTries && status == kNtLengthMismatch && m_asked <= kLargest; ++tries) {
    if (m_bytes.size() < m_asked) m_bytes.resize(m_asked);
    const auto out = std::span(m_bytes).first(m_asked);
    std::uint32_t length = 0;
    status = nt.query(m_what, out, length);
    if (status == kNtSuccess) return out.first(length > 0 && length < out.size() ? length : out.size());
    if (status == kNtLengthMismatch) m_asked = nextSize(m_asked, length);
  }
  return fail(refusal(m_what, status));
}

}  // namespace faultline
