// ImageWitness: the kernel's word, without any privilege, that a process has neither ended nor become a program with
// other rights since this was opened: a perf event that counts nothing, which the kernel takes off at such an exec().
#pragma once

#include <cstdint>
#include <optional>

#include "platform/sampling/linux/perf/ring.h"

namespace faultline {

class ImageWitness {
 public:
  // Nothing: the kernel does not let the caller's own rights look into that process, or lets nobody.
  [[nodiscard]] static std::optional<ImageWitness> open(std::uint32_t pid);

  // False as well once the first thread has ended.
  [[nodiscard]] bool stands() const;

 private:
  explicit ImageWitness(PerfRing ring) : m_ring(std::move(ring)) {}

  PerfRing m_ring;  // only an event that has one tells of its end
};

}  // namespace faultline
