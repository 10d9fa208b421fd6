// HandleOutlet: frames to a pipe, file or device. A pipe is made not to wait, and tells neither room nor that its
// reader has left but when it is asked: so it is, a few times a second. The rest of a frame that was written in part
// goes out before anything else does.
#pragma once

#include <windows.h>

#include <vector>

#include "platform/sampling/outlet.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

class HandleOutlet final : public Outlet {
 public:
  // Does not own `output`. Wakes when `stop` (nullptr: none) is set. Patient: waits for room instead of dropping.
  HandleOutlet(HANDLE output, HANDLE stop, const Clock& clock, bool patient);
  ~HandleOutlet() override;
  HandleOutlet(const HandleOutlet&) = delete;
  HandleOutlet& operator=(const HandleOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> frame) override;
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override;
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> frame) override;

 private:
  [[nodiscard]] bool stoppedWithin(Nanoseconds time) const;
  [[nodiscard]] bool woken(Nanoseconds time, HANDLE early) const;
  [[nodiscard]] bool readerGone() const;
  [[nodiscard]] Result<Sent> flush();
  [[nodiscard]] Result<Sent> flushPatiently();  // a patient one until it is asked to stop
  [[nodiscard]] Result<Sent> flushLast();
  [[nodiscard]] Result<Sent> flushUntil(MonotonicTime deadline);
  [[nodiscard]] bool pending() const { return m_written < m_rest.size(); }

  HANDLE m_output;
  HANDLE m_stop;
  UniqueHandle m_timer;
  const Clock& m_clock;
  bool m_patient;
  bool m_pipe;                    // that does not wait
  std::vector<std::byte> m_rest;  // of the frame that was accepted last
  std::size_t m_written = 0;      // of m_rest
};

}  // namespace faultline
