// FdOutlet: packets to a pipe, socket, file or device. Writes to pipes and sockets do not block; the rest of a partly
// written packet is written before other packets.
#pragma once

#include <utility>
#include <vector>

#include "platform/sampling/outlet.h"

namespace faultline {

class FdOutlet final : public Outlet {
 public:
  // Does not own `output`. Wakes when `stop` (-1: none) is readable. `patient`: wait for room instead of dropping.
  FdOutlet(int output, int stop, const Clock& clock, bool patient);
  ~FdOutlet() override;
  FdOutlet(const FdOutlet&) = delete;
  FdOutlet& operator=(const FdOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> packet) override;
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override { return wait(deadline, false); }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) override { return wait(deadline, true); }
  void serve(Errand errand) override { m_errand = std::move(errand); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> packet) override;

 private:
  struct Ready {
    bool room = false;
    bool errand = false;
    bool stop = false;
    bool readerGone = false;
  };

  [[nodiscard]] Result<Wake> wait(MonotonicTime deadline, bool forRoom);
  [[nodiscard]] Ready await(Nanoseconds timeout, bool room, bool stop, bool errand = false) const;
  [[nodiscard]] Result<Sent> flush();
  [[nodiscard]] Result<Sent> flushPatiently();  // if m_patient: until `stop` is readable
  [[nodiscard]] Result<Sent> flushLast();
  [[nodiscard]] Result<Sent> flushUntil(MonotonicTime deadline, bool stop);
  [[nodiscard]] bool pending() const { return m_written < m_rest.size(); }

  int m_output;
  int m_stop;
  const Clock& m_clock;
  bool m_patient;
  Errand m_errand;
  int m_oldFlags;                 // of the output; -1: not changed
  std::vector<std::byte> m_rest;  // the last accepted packet
  std::size_t m_written = 0;      // of m_rest
};

}  // namespace faultline
