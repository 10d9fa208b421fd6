// The collector's loop: sample, encode, send, sleep until the next deadline. Deadlines lie on a fixed grid, so the loop
// never drifts; missed deadlines are counted in the stream. Another interval begins a grid at the last deadline; a
// sample that the reader asks for begins a grid, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/model/hello.h"
#include "platform/sampling/attention.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/outlet.h"
#include "platform/sampling/sampler.h"

namespace faultline {

struct SweepOptions {
  Nanoseconds interval = std::chrono::milliseconds(500);
  std::optional<std::uint64_t> count;      // end after this many samples
  bool fast = false;                       // no sleeping, for a sampler with its own time
  bool faster = false;                     // while a spike runs or a game is watched, see Pace; not for a fast one
  std::function<Attention()> attention{};  // called before each sample; empty: that of the start
};

enum class SweepEnd : std::uint8_t { Counted, Stopped, ReaderGone, CannotMeasure, CannotWrite };

struct SweepReport {
  SweepEnd end = SweepEnd::Counted;
  std::string trouble;  // a sentence for stderr; empty if there was none
  std::uint64_t samples = 0;
  std::uint64_t missed = 0;
  std::uint64_t dropped = 0;
};

// Sends `hello` unchanged.
[[nodiscard]] SweepReport runSweep(const Hello& hello, Sampler& sampler, Outlet& outlet, const Clock& clock,
                                   const SweepOptions& options);

}  // namespace faultline
