// ImageReader: reads the program image of a process from the kernel. Loading needs cap_bpf and cap_perfmon, reading the
// privileges of a BPF iterator.
#pragma once

#include "core/base/result.h"
#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/records/program_image.h"

namespace faultline {

class ImageReader {
 public:
  [[nodiscard]] static Result<ImageReader, Unavailable> load();

  // The image of `target`, the same before and after the check that the caller may look into the process. Unavailable:
  // the caller may not, or the process has ended or become another program.
  [[nodiscard]] Result<ProgramImage, Unavailable> read(const WatchTarget& target) const;
  // The target still has this image, and the caller may look into it.
  [[nodiscard]] bool isStill(const WatchTarget& target, const ProgramImage& image) const;

 private:
  ImageReader(BpfObject object, BpfLink link) : m_object(std::move(object)), m_link(std::move(link)) {}
  [[nodiscard]] Result<ProgramImage, int> readOnce(const WatchTarget& target) const;

  BpfObject m_object;
  BpfLink m_link;
};

// Another program has the game's pid, or may get it soon.
[[nodiscard]] Unavailable gameHasLeft();

}  // namespace faultline
