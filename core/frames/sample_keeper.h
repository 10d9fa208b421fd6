// SampleKeeper: assigns samples to frames by time, and keeps those of flagged frames within a memory budget. A sample
// may arrive before or after its frame. If memory is short, samples that stand for their neighbours, too, remain of
// each frame; frames whose samples have been used have the fewest, the worst frames the most. Only if even these take
// too much, frames lose all, the least hurt first. What is left out is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "core/culprits/sample_store.h"
#include "core/frames/tally.h"
#include "core/model/fault_sample.h"

namespace faultline {

struct SampleEvidence {
  std::uint64_t frames = 0;         // flagged
  std::uint64_t withSamples = 0;    // of these
  std::uint64_t leftOut = 0;        // of withSamples: all were dropped before they were used, to save memory
  std::uint64_t faultsLeftOut = 0;  // that the dropped samples stood for
  std::uint64_t merged = 0;         // samples that others stand for, to save memory
  std::uint64_t late = 0;           // faults whose samples came after those of their frame had been used

  bool operator==(const SampleEvidence&) const = default;
};

// "Culprits of 12 of 32 frames hit by faults; 20 left out to save memory."; empty if nothing is missing.
[[nodiscard]] std::string evidenceText(const SampleEvidence& evidence);

class SampleKeeper {
 public:
  explicit SampleKeeper(std::size_t bytes) : m_bytes(bytes) {}

  void add(const FaultSample& sample);
  void add(const JudgedFrame& judged);  // in order
  // The frames since that evidence are judged again: each comes again, by addAgain(), and has the samples that are
  // left.
  void judgeAnew(const SampleEvidence& before);
  void addAgain(const JudgedFrame& judged);
  // The samples of this frame have been used, and are the first to be dropped.
  void setUsed(std::uint64_t frame);

  // In order of time; empty if there were none, or worse frames took the room.
  [[nodiscard]] std::vector<FaultSample> of(std::uint64_t frame) const;
  [[nodiscard]] std::size_t countOf(std::uint64_t frame) const;
  // Of the latest samples of kept frames before this one, at most `most`, of each frame all: those in the blocks of
  // memory of this frame's samples; time and address alone.
  void visitBefore(std::uint64_t frame, std::size_t most, const std::function<void(const FaultSample&)>& visit) const;
  [[nodiscard]] const SampleEvidence& evidence() const { return m_evidence; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  using Samples = std::vector<PackedSample>;
  struct Kept {
    std::uint64_t number = 0;
    MonotonicTime start;
    Nanoseconds duration{0};
    std::tuple<bool, bool, double, Nanoseconds> hurt;  // ordered as worseThan() orders frames
    Samples samples;
    bool used = false;
    bool had = false;  // samples
  };

  [[nodiscard]] std::vector<Kept>::const_iterator find(std::uint64_t frame) const;
  void addLate(const FaultSample& sample);
  [[nodiscard]] std::uint64_t thin(Samples& samples, std::size_t most);
  void thin(Kept& kept, std::size_t most);
  void leaveOut(Kept& kept);
  [[nodiscard]] bool full(std::size_t bytes) const { return this->bytes() - m_waitingBytes > bytes; }
  void makeRoom();
  [[nodiscard]] bool isOver(const Kept& kept) const;

  std::size_t m_bytes;
  SampleStore m_store;
  Samples m_waiting;  // not assigned to a frame yet
  std::size_t m_waitingBytes = 0;
  unsigned m_every = 1;      // one of this many arriving samples is kept
  MonotonicTime m_end;       // of the last frame
  std::vector<Kept> m_kept;  // in order of frames
  SampleEvidence m_evidence;
  std::minstd_rand m_chance;  // constant seed: the same recording gives the same result
};

}  // namespace faultline
