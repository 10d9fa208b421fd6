// ImageWitness: tells whether a process has ended or executed a program with other rights since open(). Needs no
// privilege: the kernel removes a perf event, which counts nothing, at such an exec().
#pragma once

#include <cstdint>
#include <optional>

#include "platform/sampling/linux/perf/ring.h"

namespace faultline {

class ImageWitness {
 public:
  // Absent if the kernel refuses the event to the caller's own rights, or to all programs.
  [[nodiscard]] static std::optional<ImageWitness> open(std::uint32_t pid);

  // Also false once the first thread has ended.
  [[nodiscard]] bool stands() const;

 private:
  explicit ImageWitness(PerfRing ring) : m_ring(std::move(ring)) {}

  PerfRing m_ring;  // poll() reports the end of an event only if it has a ring
};

}  // namespace faultline
