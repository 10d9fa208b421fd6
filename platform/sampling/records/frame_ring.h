// FrameRing: the memory into which a game that uses resources/faultline_frame.h notes its frames. The game may write
// anything at any time: no value is trusted, and no call takes longer than reading the ring once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/marks/joiner.h"

struct faultline_ring;  // NOLINT(readability-identifier-naming): of faultline_frame.h

namespace faultline {

struct RingRecord {
  unsigned mark = 0;
  FrameMark frame;
};

class FrameRing {
 public:
  // The game's memory, mapped for reading and writing, must have this size, and must keep it.
  [[nodiscard]] static std::size_t bytes();
  // Reading begins with the next frame, or with the first if the game has set it a moment ago. Error: no ring, or one
  // of another version.
  [[nodiscard]] static Result<FrameRing> over(std::shared_ptr<void> memory, MonotonicTime now);
  [[nodiscard]] static tl::unexpected<Error> otherVersion();

  [[nodiscard]] std::uint32_t owner() const;  // pid of the process that created the ring, in its own namespace
  [[nodiscard]] std::vector<std::string> names() const;  // by mark; empty: not set
  [[nodiscard]] std::string name(unsigned mark) const;
  // The mark of that name; of an empty name: preferredMark(). Absent: not set yet.
  [[nodiscard]] std::optional<unsigned> find(const std::string& wanted) const;

  // Address of the code that the game reaches with every noted frame, by its own account; 0: not given.
  [[nodiscard]] std::uint64_t notedAt() const;

  // Asks the game to note its frames until `time`.
  void watchUntil(MonotonicTime time);
  // The next record; absent if there is none yet. Skips records that were overwritten before they were read.
  [[nodiscard]] std::optional<RingRecord> next();

 private:
  explicit FrameRing(std::shared_ptr<void> memory);
  [[nodiscard]] std::optional<RingRecord> read(std::uint64_t ticket) const;

  std::shared_ptr<void> m_memory;
  faultline_ring* m_ring;
  std::uint64_t m_next = 0;  // next ticket to read
};

}  // namespace faultline
