// PipeReader: the reading end of a pipe from a child process. Always keeps an overlapped read pending, because Windows
// can wait for a read but not for a pipe.
#pragma once

#include <windows.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "core/base/result.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

class PipeReader {
 public:
  // Sets `theirs` to the writing end, as an inheritable handle.
  [[nodiscard]] static Result<std::unique_ptr<PipeReader>> make(UniqueHandle& theirs);

  ~PipeReader();
  PipeReader(const PipeReader&) = delete;  // the pending read points into this object
  PipeReader& operator=(const PipeReader&) = delete;

  [[nodiscard]] HANDLE ready() const { return m_arrived.get(); }
  // Blocks until there is data; returns 0 at the end.
  [[nodiscard]] std::size_t read(std::span<std::byte> buffer);

 private:
  PipeReader(UniqueHandle pipe, UniqueHandle arrived);
  void begin();
  void finish();

  UniqueHandle m_pipe;
  UniqueHandle m_arrived;
  OVERLAPPED m_reading{};
  std::array<std::byte, std::size_t{64} << 10U> m_ahead{};
  std::span<const std::byte> m_rest;  // of m_ahead
  bool m_begun = false;
  bool m_ended = false;
};

}  // namespace faultline
