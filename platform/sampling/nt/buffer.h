// NtBuffer: queries one class of NtQuerySystemInformation into memory that grows until the answer fits and is then
// reused. Error: the query failed; the text names the class and the NTSTATUS.
#pragma once

#include <vector>

#include "core/base/result.h"
#include "platform/sampling/nt/functions.h"

namespace faultline {

class NtBuffer {
 public:
  // `size` is the first size tried: some classes accept only one size.
  NtBuffer(NtClass what, std::size_t size) : m_what(what), m_asked(size) {}

  // Valid until the next call.
  [[nodiscard]] Result<std::span<const std::byte>> read(const NtFunctions& nt);

 private:
  NtClass m_what;
  std::size_t m_asked;
  std::vector<std::byte> m_bytes;
};

}  // namespace faultline
