// FrameHistory: a game's frames in order of time, within a memory budget; drops the oldest first. Queries over long
// stretches use summaries, so that drawing never visits all frames. A frame's place counts from the first frame ever
// added and does not change.
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

// Summary of a stretch of frames, for one column of a plot.
struct FrameStretch {
  std::uint64_t longest = 0;  // place of the longest frame
  Nanoseconds duration{0};    // of the longest frame, and its memoryTime()
  std::optional<Nanoseconds> memory;
  std::uint64_t mostFaults = 0;  // maximum of a single frame
  std::optional<std::uint64_t>
      flagged;  // place of the worst frame late because of faults, else of the worst costly frame
  double flaggedWeight = 0;
  bool flaggedLate = false;

  void join(const FrameStretch& other);
};

class FrameHistory {
 public:
  static constexpr std::size_t kDefaultBytes = std::size_t{32} << 20U;  // ten minutes of 1000 frames/s

  explicit FrameHistory(std::size_t budget = kDefaultBytes) : m_budget(budget) {}

  // Sets the place of the first frame, to match another history's begin(). Call it while the history is empty.
  void beginAt(std::uint64_t place);
  // False if the frame begins before the end of its predecessor; it is then not kept.
  bool add(const JudgedFrame& judged);

  [[nodiscard]] bool empty() const { return m_begin == m_end; }
  [[nodiscard]] std::uint64_t begin() const { return m_begin; }  // place of the oldest frame
  [[nodiscard]] std::uint64_t end() const { return m_end; }      // place after the newest frame
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }
  [[nodiscard]] MonotonicTime oldest() const;  // start of the oldest frame; requires !empty()
  [[nodiscard]] MonotonicTime newest() const;  // end of the newest frame; requires !empty()

  [[nodiscard]] JudgedFrame at(std::uint64_t place) const;  // begin() <= place < end()
  [[nodiscard]] MonotonicTime startOf(std::uint64_t place) const { return at(place).frame.start; }
  // Place of the first frame that ends after `time`, or end().
  [[nodiscard]] std::uint64_t placeAt(MonotonicTime time) const;
  // Absent if there is no frame in [from, to).
  [[nodiscard]] std::optional<FrameStretch> stretch(std::uint64_t from, std::uint64_t to) const;
  void visit(std::uint64_t from, std::uint64_t to,
             const std::function<void(std::uint64_t, const JudgedFrame&)>& visitor) const;

 private:
  static constexpr std::uint64_t kBlock = 16;  // frames
  static constexpr std::uint64_t kFan = 8;     // blocks in a summary of the next level, and so on
  static constexpr std::size_t kLevels = 5;

  struct Block {
    MonotonicTime start;
    std::vector<std::uint8_t> bytes;
    std::uint32_t frames = 0;
  };
  struct Level {
    std::deque<FrameStretch> stretches;
    std::uint64_t first = 0;  // number of the first summary, counting dropped ones
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
