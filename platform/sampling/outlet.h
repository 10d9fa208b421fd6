// Outlet: where the collector's frames go, and how it sleeps between two of them without missing the end of either its
// reader or itself. Real implementation: loop/outlet.h. Errors: nothing more can be written, and why.
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
  Accepted,    // written, or what is left of it will be written first
  Dropped,     // the reader is too slow: not a byte of it was written
  ReaderGone,  // nobody will ever read it
};

enum class Wake : std::uint8_t {
  Deadline,
  Stop,  // somebody asks this program to end
  ReaderGone,
};

class Outlet {
 public:
  virtual ~Outlet() = default;

  // Never waits for a slow reader, unless the outlet was made patient.
  [[nodiscard]] virtual Result<Sent> send(std::span<const std::byte> frame) = 0;
  // Writes what is left over while it waits. A deadline that has passed is a look at the other reasons to wake.
  [[nodiscard]] virtual Result<Wake> waitUntil(MonotonicTime deadline) = 0;
  // From here on, waitUntil() runs it when it is due.
  virtual void serve(Errand /*errand*/) {}
  // The last frame; waits a moment for a slow reader, but not for a stuck one.
  [[nodiscard]] virtual Result<Sent> finish(std::span<const std::byte> frame) = 0;
};

// Standard output. Error: it is a terminal. From here on SIGINT, SIGTERM and SIGHUP are asked for, no longer obeyed.
[[nodiscard]] Result<std::unique_ptr<Outlet>> makeStandardOutlet(const Clock& clock, bool patient);

}  // namespace faultline
