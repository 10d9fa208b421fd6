// FaultPath: which faults of a frame are on its path, as core/frames/fault_path.h finds it.
#pragma once

#include <cstdint>

namespace faultline {

// The faults for which a frame waited: all of one thread, and of those of other threads a share of their time, 0 to 1.
struct FaultPath {
  std::uint32_t thread = 0;
  double ofOthers = 0;        // of the time of all others
  std::uint32_t awaited = 0;  // the thread that has most of it: its samples count in place of all others'; 0: not known
  double ofAwaited = 1;       // of the time of its samples
  bool clear = true;          // else most of the listed faults may be those of threads for which it did not wait

  [[nodiscard]] double share(std::uint32_t of) const {
    if (of == thread) return 1;
    if (awaited == 0) return ofOthers;
    return of == awaited ? ofAwaited : 0;
  }
  bool operator==(const FaultPath&) const = default;
};

}  // namespace faultline
