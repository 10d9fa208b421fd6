// Outlet: the output of the collector's packets. Also sleeps between two packets, and wakes when the reader is gone or
// the program is asked to end. Implementation: packet_outlet.h. Errors: writing failed, and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/result.h"
#include "core/base/units.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/sampler.h"

namespace faultline {

enum class Sent : std::uint8_t {
  Accepted,    // written, or the rest will be written before the next packet
  Dropped,     // the reader is too slow: no byte of the packet was written
  ReaderGone,  // the reader has closed the stream
};

enum class Wake : std::uint8_t {
  Deadline,
  Room,   // all accepted packets are written
  Asked,  // for a sample at once
  Stop,   // this program was asked to end
  ReaderGone,
};

class Outlet {
 public:
  virtual ~Outlet() = default;

  // Does not wait for a slow reader, unless the outlet was made patient.
  [[nodiscard]] virtual Result<Sent> send(std::span<const std::byte> packet) = 0;
  // Waits, and meanwhile writes the rest of a packet. A deadline in the past only checks the other reasons to wake.
  // Never returns Wake::Room.
  [[nodiscard]] virtual Result<Wake> waitUntil(MonotonicTime deadline) = 0;
  // The same, but wakes with Wake::Room as soon as a packet will be accepted.
  [[nodiscard]] virtual Result<Wake> waitForRoom(MonotonicTime deadline) = 0;
  // From now on, waitUntil() runs the errand whenever its file is readable.
  virtual void serve(Errand /*errand*/) {}
  // Sends the last packet; waits at most 1 s for a slow reader.
  [[nodiscard]] virtual Result<Sent> finish(std::span<const std::byte> packet) = 0;
};

// Standard output. Error: standard output is a terminal. From now on SIGINT, SIGTERM and SIGHUP (on Windows: console
// events) do not end the program but wake waitUntil() with Wake::Stop, and SIGUSR1 (not on Windows) with Wake::Asked.
[[nodiscard]] Result<std::unique_ptr<Outlet>> makeStandardOutlet(const Clock& clock, bool patient);

}  // namespace faultline
