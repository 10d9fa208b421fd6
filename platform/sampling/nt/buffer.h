// NtBuffer: what NtQuerySystemInformation tells of one class, in memory that grows until it fits and is then kept.
// Error: the system refuses; the sentence names the class and the NTSTATUS.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "platform/sampling/nt/functions.h"

namespace faultline {

class NtBuffer {
 public:
  // Some classes take a buffer of one size only: `size` is what is tried first.
  NtBuffer(NtClass what, std::size_t size) : m_what(what), m_asked(size) {}

  // Valid until the next call.
  [[nodiscard]] Result<std::span<const std::byte>> read(const NtFunctions& nt);

 private:
  NtClass m_what;
  std::size_t m_asked;
  std::vector<std::byte> m_bytes;
};

}  // namespace faultline
