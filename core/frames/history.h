// FrameHistory: the frames of a game in the order of their time, as many as fit into a budget of memory; the oldest go
// first. Asks about long stretches are answered from summaries, so that drawing never walks all frames. A frame's place
// counts from the first that was ever added and stays its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "core/frames/tally.h"

namespace faultline {

// What a stretch of frames comes to in one column of a picture.
struct FrameStretch {
  std::uint64_t longest = 0;  // its place
  Nanoseconds duration{0};    // of that frame, and the part of it inside faults, as far as that is known
  std::optional<Nanoseconds> inFaults;
  std::uint64_t mostFaults = 0;          // of one frame
  std::optional<std::uint64_t> flagged;  // the place of the worst that is late because of faults, else of a costly one
  double flaggedWeight = 0;
  bool flaggedLate = false;

  void join(const FrameStretch& other);
};

class FrameHistory {
 public:
  static constexpr std::size_t kUsualBytes = std::size_t{32} << 20U;  // ten minutes of 1000 frames/s

  explicit FrameHistory(std::size_t budget = kUsualBytes) : m_budget(budget) {}

  // The place that the first frame will have: another history's begin(). While there is none.
  void beginAt(std::uint64_t place);
  // False, and nothing is kept: the frame begins before the one before it has ended.
  bool add(const JudgedFrame& judged);

  [[nodiscard]] bool empty() const { return m_begin == m_end; }
  [[nodiscard]] std::uint64_t begin() const { return m_begin; }  // the place of the oldest
  [[nodiscard]] std::uint64_t end() const { return m_end; }      // one past that of the newest
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }
  [[nodiscard]] MonotonicTime oldest() const;  // the first begins; needs one
  [[nodiscard]] MonotonicTime newest() const;  // the last ends; needs one

  [[nodiscard]] JudgedFrame at(std::uint64_t place) const;  // begin() <= place < end()
  [[nodiscard]] MonotonicTime startOf(std::uint64_t place) const { return at(place).frame.start; }
  // The place of the first frame that ends after `time`; end() if none does.
  [[nodiscard]] std::uint64_t placeAt(MonotonicTime time) const;
  // The place of the frame with this number that began at this time; absent once it was forgotten.
  [[nodiscard]] std::optional<std::uint64_t> find(const GameFrame& frame) const;
  // Absent: no frame is there.
  [[nodiscard]] std::optional<FrameStretch> stretch(std::uint64_t from, std::uint64_t to) const;
  void visit(std::uint64_t from, std::uint64_t to,
             const std::function<void(std::uint64_t, const JudgedFrame&)>& visitor) const;

 private:
  static constexpr std::uint64_t kBlock = 16;  // frames
  static constexpr std::uint64_t kFan = 8;     // blocks in one of the level above, and so on
  static constexpr std::size_t kLevels = 5;

  struct Block {
    MonotonicTime start;
    std::vector<std::uint8_t> bytes;
    std::uint32_t frames = 0;
  };
  struct Level {
    std::deque<FrameStretch> stretches;
    std::uint64_t first = 0;  // the number of the first, had none been dropped
  };

  [[nodiscard]] const Block& block(std::uint64_t number) const { return m_blocks[number - m_begin / kBlock]; }
  void summarise(const JudgedFrame& judged);
  void forgetOldest();
  template <class Visitor>
  void walk(std::uint64_t from, std::uint64_t to, Visitor&& visitor) const;
  void joinFrames(std::uint64_t from, std::uint64_t to, std::optional<FrameStretch>& out) const;

  std::size_t m_budget;
  std::size_t m_bytes = 0;
  std::uint64_t m_begin = 0;  // a multiple of kBlock
  std::uint64_t m_end = 0;
  JudgedFrame m_last;
  std::deque<Block> m_blocks;
  std::array<Level, kLevels> m_levels;
};

}  // namespace faultline
