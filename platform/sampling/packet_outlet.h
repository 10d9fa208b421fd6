// PacketOutlet: an Outlet that keeps the rest of a partly written packet, and writes that before other packets. Its
// implementations know how their system waits and writes: posix/outlet.h, windows/handle_outlet.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "platform/sampling/outlet.h"

namespace faultline {

class PacketOutlet : public Outlet {
 public:
  // `patient`: wait for room instead of dropping.
  PacketOutlet(const Clock& clock, bool patient) : m_clock(clock), m_patient(patient) {}
  ~PacketOutlet() override = default;
  PacketOutlet(const PacketOutlet&) = delete;
  PacketOutlet& operator=(const PacketOutlet&) = delete;

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> packet) final;
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) final { return wait(deadline, false); }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) final { return wait(deadline, true); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> packet) final;

 protected:
  enum class Heed : std::uint8_t { Nothing, Stop, StopAndErrands };

 private:
  // Waits for the end of `timeout` (0: not at all), for room if `room`, for a closed reader and for what `heed` names;
  // may return early. Returns Wake::Stop or Wake::ReaderGone, or nothing where the caller may write or go on waiting.
  [[nodiscard]] virtual std::optional<Wake> await(Nanoseconds timeout, bool room, Heed heed) = 0;
  // Writes as much of `rest` as there is room for, and removes that from `rest`. Returns Accepted or ReaderGone.
  [[nodiscard]] virtual Result<Sent> write(std::span<const std::byte>& rest) = 0;

  [[nodiscard]] Result<Wake> wait(MonotonicTime deadline, bool forRoom);
  [[nodiscard]] Result<Sent> writeRest();  // if m_patient: until this program is asked to end
  [[nodiscard]] Result<Sent> writeRestUntil(MonotonicTime deadline, Heed heed);

  const Clock& m_clock;
  bool m_patient;
  std::vector<std::byte> m_packet;    // the last accepted one
  std::span<const std::byte> m_rest;  // of m_packet
};

}  // namespace faultline
