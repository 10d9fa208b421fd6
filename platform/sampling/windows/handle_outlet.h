// HandleOutlet: packets to a pipe, file or device. Sets a pipe to PIPE_NOWAIT, and polls it for room and for a closed
// reader, because Windows cannot wait for either. The rest of a partly written packet is written before other packets.
#pragma once

#include <windows.h>

#include <vector>

#include "platform/sampling/outlet.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

class HandleOutlet final : public Outlet {
 public:
  // Does not own `output`. Wakes when `stop` (nullptr: none) is set. `patient`: wait for room instead of dropping.
  HandleOutlet(HANDLE output, HANDLE stop, const Clock& clock, bool patient);
  ~HandleOutlet() override;
  HandleOutlet(const HandleOutlet&) = delete;
  HandleOutlet& operator=(const HandleOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> packet) override;
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override;
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> packet) override;

 private:
  [[nodiscard]] bool stoppedWithin(Nanoseconds time) const;
  [[nodiscard]] bool woken(Nanoseconds time, HANDLE early) const;
  [[nodiscard]] bool readerGone() const;
  [[nodiscard]] Result<Sent> flush();
  [[nodiscard]] Result<Sent> flushPatiently();  // if m_patient: until the stop event
  [[nodiscard]] Result<Sent> flushLast();
  [[nodiscard]] Result<Sent> flushUntil(MonotonicTime deadline);
  [[nodiscard]] bool pending() const { return m_written < m_rest.size(); }

  HANDLE m_output;
  HANDLE m_stop;
  UniqueHandle m_timer;
  const Clock& m_clock;
  bool m_patient;
  bool m_pipe;                    // the output is a pipe, now PIPE_NOWAIT
  std::vector<std::byte> m_rest;  // the last accepted packet
  std::size_t m_written = 0;      // of m_rest
};

}  // namespace faultline
