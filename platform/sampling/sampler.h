// Sampler: takes snapshots. Implementations: linux/proc/sampler.h, linux/bpf/sampler.h, nt/sampler.h,
// synthetic/sampler.h.
#pragma once

#include <functional>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

// The rights that sample() needs after the lockdown, which denies all others.
struct SamplerNeeds {
  int opensIn = -1;         // descriptor of the folder in which it opens files to read; -1: it opens none
  bool privileges = false;  // fails with the privileges now in effect
};

// Work between two samples: `run` is called whenever `file` (a descriptor; -1: none) is readable.
struct Errand {
  int file = -1;
  std::function<void()> run{};
};

class Sampler {
 public:
  virtual ~Sampler() = default;

  // The metrics of this sampler with their qualities. The caller sets version, interval and pid.
  [[nodiscard]] virtual Hello hello() const = 0;
  // True once after hello() has changed, in sample() alone: send it again.
  [[nodiscard]] virtual bool helloChanged() { return false; }

  // Whether the numbers are on show; true at the start. While false, metrics that slow the watched programs down are
  // not measured, and are absent from samples.
  virtual void attend(bool /*active*/) {}

  // The time that is planned until the next sample, from now on.
  virtual void pace(Nanoseconds /*interval*/) {}

  // Called when all files are open and no privilege is in effect: a sampler that may need a privilege tries without.
  [[nodiscard]] virtual SamplerNeeds needs() { return {}; }

  // Valid as long as the sampler lives.
  [[nodiscard]] virtual Errand errand() { return {}; }

  // Overwrites `out`, reusing its memory. A process that ends while being read is omitted, never half filled.
  // Fails only when the machine as a whole can no longer be read.
  [[nodiscard]] virtual Result<void> sample(Snapshot& out) = 0;
};

}  // namespace faultline
