// ImageReader: asks the kernel itself which program image a process is. Loading takes cap_bpf and cap_perfmon, reading
// what the kernel demands for an iterator.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/records/program_image.h"

namespace faultline {

class ImageReader {
 public:
  [[nodiscard]] static Result<ImageReader, Unavailable> load();

  // The image that `target` has: the same before and after its owner was found to let the caller look into it.
  // Unavailable: it does not, has ended, or has just become another.
  [[nodiscard]] Result<ProgramImage, Unavailable> read(const WatchTarget& target) const;
  // Whether that is so of this very image.
  [[nodiscard]] bool isStill(const WatchTarget& target, const ProgramImage& image) const;

 private:
  ImageReader(BpfObject object, BpfLink link) : m_object(std::move(object)), m_link(std::move(link)) {}
  [[nodiscard]] Result<ProgramImage, int> readOnce(const WatchTarget& target) const;

  BpfObject m_object;
  BpfLink m_link;
};

// That something else has its pid, or may soon.
[[nodiscard]] Unavailable gameHasLeft();

}  // namespace faultline
