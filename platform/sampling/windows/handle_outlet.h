// HandleOutlet: packets to a pipe, file or device. Sets a pipe to PIPE_NOWAIT, and polls it for room, because Windows
// cannot wait for that, nor for a closed reader: the end of the process that started this one stands for that.
#pragma once

#include <windows.h>

#include "platform/sampling/packet_outlet.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

class HandleOutlet final : public PacketOutlet {
 public:
  // Does not own `output`. Wakes when `stop` (nullptr: none) is set. Looks for a closed reader when `parent` ends;
  // nullptr: 20 times a second.
  HandleOutlet(HANDLE output, HANDLE stop, const Clock& clock, bool patient, UniqueHandle parent = {});
  ~HandleOutlet() override;
  HandleOutlet(const HandleOutlet&) = delete;
  HandleOutlet& operator=(const HandleOutlet&) = delete;

 private:
  [[nodiscard]] std::optional<Wake> await(Nanoseconds timeout, bool room, Heed heed) override;
  [[nodiscard]] Result<Sent> write(std::span<const std::byte>& rest) override;
  [[nodiscard]] bool readerGone() const;

  HANDLE m_output;
  HANDLE m_stop;
  UniqueHandle m_timer;
  UniqueHandle m_parent;  // null after its end
  bool m_pipe;            // the output is a pipe, now PIPE_NOWAIT
};

}  // namespace faultline
