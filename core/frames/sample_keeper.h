// SampleKeeper: joins samples to frames by their time, and keeps those of the flagged frames, as many as fit, the worst
// frames first. A sample may come before its frame or after it. What does not fit while a frame lasts is left out by
// chance, and its weight goes to a neighbour, so that no fault is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/frames/tally.h"
#include "core/model/fault_sample.h"

namespace faultline {

class SampleKeeper {
 public:
  explicit SampleKeeper(std::size_t bytes) : m_bytes(bytes) {}

  void add(const FaultSample& sample);
  void add(const JudgedFrame& judged);  // in their order

  // In the order of their time; none where none came, or others were worse. Valid until the next add().
  [[nodiscard]] std::span<const FaultSample> of(std::uint64_t frame) const;
  // Those of the frames before it.
  [[nodiscard]] std::vector<std::span<const FaultSample>> before(std::uint64_t frame) const;
  [[nodiscard]] std::size_t bytes() const { return m_waitingBytes + m_keptBytes; }

 private:
  struct Kept {
    JudgedFrame judged;
    std::vector<FaultSample> samples;
    std::size_t bytes = 0;
  };

  [[nodiscard]] std::vector<Kept>::const_iterator find(std::uint64_t frame) const;
  void addLate(const FaultSample& sample);
  void thinOut();
  void makeRoom();

  std::size_t m_bytes;
  std::vector<FaultSample> m_waiting;  // for their frame
  std::size_t m_waitingBytes = 0;
  unsigned m_every = 1;      // so many that come become one that waits
  MonotonicTime m_end;       // of the last frame
  std::vector<Kept> m_kept;  // in the order of their frames
  std::size_t m_keptBytes = 0;
  std::minstd_rand m_chance;  // always the same: two runs over one recording agree
};

}  // namespace faultline
