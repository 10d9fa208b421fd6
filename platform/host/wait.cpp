#include "platform/host/wait.h"

#include <array>
#include <chrono>

namespace faultline {

Waited waitFor(WaitHandle handle, std::optional<Nanoseconds> timeout, const Interrupt& interrupt) {
  using Steady = std::chrono::steady_clock;
  const Steady::time_point begin = Steady::now();
  for (;;) {
    if (interrupt.now()) return Waited::Interrupted;
    const auto left = timeout ? std::optional<Nanoseconds>(*timeout - (Steady::now() - begin)) : std::nullopt;
    const std::uint32_t ready = waitAny(std::array{handle, interrupt.ready}, left);
    if ((ready & 1U) != 0) return Waited::Ready;
    if (ready == 0) return Waited::TimedOut;
  }
}

}  // namespace faultline
