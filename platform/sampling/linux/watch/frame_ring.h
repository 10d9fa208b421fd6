// FrameRing: the memory into which a game that uses resources/faultline_frame.h notes its frames. The game may write
// anything at any time: no value is trusted, and no call takes longer than reading the ring once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/marks/joiner.h"
#include "platform/system/posix/unique_fd.h"

struct faultline_ring;  // NOLINT(readability-identifier-naming): of faultline_frame.h

namespace faultline {

struct RingRecord {
  unsigned mark = 0;
  FrameMark frame;
};

class FrameRing {
 public:
  // Reading begins with the next frame, or with the first if the game has set it a moment ago. Error: `file` is no
  // ring, or of another version.
  [[nodiscard]] static Result<FrameRing> open(const UniqueFd& file, MonotonicTime now);
  ~FrameRing();
  FrameRing(FrameRing&& other) noexcept;
  FrameRing& operator=(FrameRing&&) = delete;

  [[nodiscard]] std::uint32_t owner() const;  // pid of the process that created the ring, in its own namespace
  [[nodiscard]] std::vector<std::string> names() const;  // by mark; empty: not set
  [[nodiscard]] std::string name(unsigned mark) const;

  // Address of the code that the game reaches with every noted frame, by its own account; 0: not given.
  [[nodiscard]] std::uint64_t notedAt() const;

  // Asks the game to note its frames until `time`.
  void watchUntil(MonotonicTime time);
  // The next record; absent if there is none yet. Skips records that were overwritten before they were read.
  [[nodiscard]] std::optional<RingRecord> next();

 private:
  explicit FrameRing(faultline_ring* ring);
  [[nodiscard]] std::optional<RingRecord> read(std::uint64_t ticket) const;

  faultline_ring* m_ring;
  std::uint64_t m_next = 0;  // next ticket to read
};

}  // namespace faultline
