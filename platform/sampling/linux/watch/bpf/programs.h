// BpfWatch: Faultline's programs in the running kernel that watch one game, for as long as this object lives. They keep
// the sums of its faults and note them at its marks. Opening takes cap_bpf and cap_perfmon, the rest nothing.
//
// Exact at a mark: the faults of all threads that ended before it, time inside them, and what the kernel zeroed for
// them. Of what another thread populates (MAP_POPULATE) the last page may be told with the next frame.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/marks/joiner.h"
#include "core/model/fault_sample.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/linux/watch/bpf/mark_ways.h"
#include "platform/sampling/linux/watch/bpf/parts.h"
#include "platform/sampling/records/watch_records.h"
#include "platform/sampling/standstill.h"

namespace faultline {

class BpfKernel;

struct BpfWatchOptions {
  bool ownMarks = false;  // the one place is where the header's marks call: with their index and the frame's number
  SampleMode samples = SampleMode::None;
  Nanoseconds sampleAfter{0};
  std::string noSlot{};               // why nothing may run at everybody's faults; empty: it may
  StandstillLimit limitStandstill{};  // for as long as probes stand; empty: without
};

struct BpfMark {
  std::size_t place = 0;  // which one was called; of the game's own marks, their index
  FrameMark frame;  // its number counts the calls of that place; of the game's own marks, it is what the game says
};

class BpfWatch {
 public:
  // Of the program that `target` is now, and of no other. `places` are told apart by their index; there are kMostMarks
  // at most.
  [[nodiscard]] static Result<std::unique_ptr<BpfWatch>, Unavailable> open(const WatchTarget& target,
                                                                           const std::vector<ProbeFile>& places,
                                                                           const BpfWatchOptions& options);
  ~BpfWatch();
  BpfWatch(const BpfWatch&) = delete;
  BpfWatch& operator=(const BpfWatch&) = delete;

  [[nodiscard]] const WatchAbilities& abilities() const { return m_abilities; }
  // Of the game's own marks: else only the time and the thread of each are told.
  [[nodiscard]] bool numbersMarks() const { return m_way != MarkWay::Getrusage; }

  // Appends what has come since the last call, the marks in the order of their times.
  void collect(std::vector<BpfMark>& marks, FaultSampleBatch& samples);
  // The mark whose frames the spikes of samples are to be those of.
  void choose(std::size_t mark);
  // The process goes on as another program or under other rights, and nothing more is told of it.
  [[nodiscard]] bool programLeft() const;

 private:
  struct State;
  static int takeMark(void* state, void* record, std::size_t size);
  static int takeSample(void* state, void* record, std::size_t size);
  explicit BpfWatch(std::unique_ptr<State> state);
  [[nodiscard]] static Result<std::unique_ptr<BpfWatch>, Unavailable> openBy(MarkWay way, const WatchTarget& target,
                                                                             const std::vector<ProbeFile>& places,
                                                                             const BpfWatchOptions& options,
                                                                             const BpfKernel& kernel,
                                                                             const ProgramImage& image);
  [[nodiscard]] bool readRings();
  [[nodiscard]] std::optional<Unavailable> start(const WatchTarget& target, const std::vector<ProbeFile>& places);
  [[nodiscard]] std::optional<Unavailable> listenForMarks(const WatchTarget& target,
                                                          const std::vector<ProbeFile>& places);
  [[nodiscard]] std::optional<Unavailable> setBreakpoints(int folder, const std::vector<ProbeFile>& places);

  std::unique_ptr<State> m_state;
  MarkWay m_way = MarkWay::Probe;
  WatchAbilities m_abilities;
};

}  // namespace faultline
