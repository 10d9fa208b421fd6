// FdOutlet: frames to a pipe, socket, file or device. Where a write could block it does not; the rest of a frame that
// was written in part goes out before anything else does.
#pragma once

#include <utility>
#include <vector>

#include "platform/sampling/outlet.h"

namespace faultline {

class FdOutlet final : public Outlet {
 public:
  // Does not own `output`. Wakes when `stop` (-1: none) becomes readable. Patient: waits for room instead of dropping.
  FdOutlet(int output, int stop, const Clock& clock, bool patient);
  ~FdOutlet() override;
  FdOutlet(const FdOutlet&) = delete;
  FdOutlet& operator=(const FdOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> frame) override;
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override;
  void serve(Errand errand) override { m_errand = std::move(errand); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> frame) override;

 private:
  struct Ready {
    bool room = false;
    bool errand = false;
    bool stop = false;
    bool readerGone = false;
  };

  [[nodiscard]] Ready await(Nanoseconds timeout, bool room, bool stop, bool errand = false) const;
  [[nodiscard]] Result<Sent> flush();
  [[nodiscard]] Result<Sent> flushPatiently();  // a patient one until it is asked to stop
  [[nodiscard]] Result<Sent> flushLast();
  [[nodiscard]] Result<Sent> flushUntil(MonotonicTime deadline, bool stop);
  [[nodiscard]] bool pending() const { return m_written < m_rest.size(); }

  int m_output;
  int m_stop;
  const Clock& m_clock;
  bool m_patient;
  Errand m_errand;
  int m_oldFlags;                 // of the output; -1: left alone
  std::vector<std::byte> m_rest;  // of the frame that was accepted last
  std::size_t m_written = 0;      // of m_rest
};

}  // namespace faultline
