// Sampler: takes snapshots. Real implementations: proc/sampler.h, nt/sampler.h,
// synthetic/sampler.h.
#pragma once

#include <functional>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

// What sample() asks of the system from here on; the system keeps everything else from it.
struct SamplerNeeds {
  bool opensFiles = false;  // of /proc, to read them
  bool privileges = false;  // it would fail with those that are in effect now
};

// What is to be done between two samples, each time that `file` becomes readable; none on systems that have no such
// files.
struct Errand {
  int file = -1;
  std::function<void()> run{};
};

class Sampler {
 public:
  virtual ~Sampler() = default;

  // What this sampler measures and how well; fixed for its whole life. Version, interval and pid are the caller's to
  // fill.
  [[nodiscard]] virtual Hello hello() const = 0;

  // Whether somebody looks at the numbers: what costs the watched programs something is measured only then, and absent
  // from samples otherwise. Somebody does until told otherwise.
  virtual void attend(bool /*somebodyLooks*/) {}

  // Asked once everything is open and no privilege is in effect any more: a sampler that may need one tries it out now.
  [[nodiscard]] virtual SamplerNeeds needs() { return {}; }

  // Holds as long as the sampler lives.
  [[nodiscard]] virtual Errand errand() { return {}; }

  // Overwrites `out`, reusing its memory. Processes that die while being read are left out, never half filled.
  // Fails only when the machine as a whole can no longer be read.
  [[nodiscard]] virtual Result<void> sample(Snapshot& out) = 0;
};

}  // namespace faultline
