// HandleOutlet: packets to a pipe, file or device. Sets a pipe to PIPE_NOWAIT, and polls it for room, because Windows
// cannot wait for that, nor for a closed reader: the end of the process that started this one stands for that. The rest
// of a partly written packet is written before other packets.
#pragma once

#include <windows.h>

#include <vector>

#include "platform/sampling/outlet.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

class HandleOutlet final : public Outlet {
 public:
  // Does not own `output`. Wakes when `stop` (nullptr: none) is set. Looks for a closed reader when `parent` ends;
  // nullptr: 20 times a second. `patient`: wait for room instead of dropping.
  HandleOutlet(HANDLE output, HANDLE stop, const Clock& clock, bool patient, UniqueHandle parent = {});
  ~HandleOutlet() override;
  HandleOutlet(const HandleOutlet&) = delete;
  HandleOutlet& operator=(const HandleOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> packet) override;
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override { return wait(deadline, false); }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) override { return wait(deadline, true); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> packet) override;

 private:
  [[nodiscard]] Result<Wake> wait(MonotonicTime deadline, bool forRoom);
  [[nodiscard]] bool stopped() const;
  void sleep(Nanoseconds time, HANDLE parent = nullptr) const;
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
  UniqueHandle m_parent;  // null after its end
  bool m_patient;
  bool m_pipe;                    // the output is a pipe, now PIPE_NOWAIT
  std::vector<std::byte> m_rest;  // the last accepted packet
  std::size_t m_written = 0;      // of m_rest
};

}  // namespace faultline
