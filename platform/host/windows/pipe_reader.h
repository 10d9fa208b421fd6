// PipeReader: our end of a pipe that a child writes to. It reads ahead, as Windows can wait for a read that has begun,
// but not for a pipe.
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
  // `theirs` becomes the other end, which a child can inherit.
  [[nodiscard]] static Result<std::unique_ptr<PipeReader>> make(UniqueHandle& theirs);

  ~PipeReader();
  PipeReader(const PipeReader&) = delete;  // a read that goes on knows where we are
  PipeReader& operator=(const PipeReader&) = delete;

  [[nodiscard]] HANDLE ready() const { return m_arrived.get(); }
  // Waits until there is something; 0 is the end.
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
