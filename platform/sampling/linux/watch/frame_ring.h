// FrameRing: the memory into which a game that uses resources/faultline_frame.h notes its frames. The game may write
// anything into it at any time: nothing in it is believed, and no call takes longer than reading it once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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
  // Reading begins with what comes from now on; with the first frame if the game has set it a moment ago. Error: `file`
  // is no ring, or one of another version.
  [[nodiscard]] static Result<FrameRing> open(const UniqueFd& file, MonotonicTime now);
  ~FrameRing();
  FrameRing(FrameRing&& other) noexcept;
  FrameRing& operator=(FrameRing&&) = delete;

  [[nodiscard]] std::uint32_t owner() const;  // the pid of the process that made it, as that process sees it
  // Which mark has this name, or, if that is empty, which was set first.
  [[nodiscard]] std::optional<unsigned> find(const std::string& wanted) const;
  [[nodiscard]] std::string name(unsigned mark) const;

  // Where every noted frame comes by in the game's memory, as it says; 0: it does not.
  [[nodiscard]] std::uint64_t notedAt() const;

  // Asks the game to note its frames until then.
  void watchUntil(MonotonicTime time);
  // The next record; nothing if there is none yet. Records that were overwritten before they were read are passed over.
  [[nodiscard]] std::optional<RingRecord> next();

 private:
  explicit FrameRing(faultline_ring* ring);
  [[nodiscard]] std::optional<RingRecord> read(std::uint64_t ticket) const;

  faultline_ring* m_ring;
  std::uint64_t m_next = 0;  // the ticket to read
};

}  // namespace faultline
