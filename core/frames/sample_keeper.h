// SampleKeeper: assigns samples to frames by time, and keeps those of flagged frames within a memory budget, the worst
// frames first. A sample may arrive before or after its frame. If samples of a frame exceed the budget, a random part
// is dropped and their weight added to a neighbour, so that no fault is lost.
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
  void add(const JudgedFrame& judged);  // in order

  // In order of time; empty if there were none, or worse frames took the room. Valid until the next add().
  [[nodiscard]] std::span<const FaultSample> of(std::uint64_t frame) const;
  // Samples of the kept frames before this one.
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
  std::vector<FaultSample> m_waiting;  // not assigned to a frame yet
  std::size_t m_waitingBytes = 0;
  unsigned m_every = 1;      // one of this many arriving samples is kept
  MonotonicTime m_end;       // of the last frame
  std::vector<Kept> m_kept;  // in order of frames
  std::size_t m_keptBytes = 0;
  std::minstd_rand m_chance;  // constant seed: the same recording gives the same result
};

}  // namespace faultline
