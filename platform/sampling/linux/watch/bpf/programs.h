// BpfWatch: the BPF programs that watch one game, while this object lives. They sum up its faults and note the sums at
// its marks. Opening needs cap_bpf and cap_perfmon; the other calls need no privilege.
//
// Exact at a mark: the faults of all threads that ended before it, the time inside them, and the bytes zeroed for them.
// The last page that another thread populates (MAP_POPULATE) may be counted in the next frame.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/hidden.h"
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
  WatchOptions watch{};   // but for the end of a frame
  bool ownMarks = false;  // the only place is the header's function, called with mark index and frame number
  Nanoseconds slot{0};    // above 0, without places: the ends of slots of this length in place of marks
};

struct BpfMark {
  std::size_t place = 0;  // index of the called place; for own marks, index of the mark
  // Numbered by calls of the place; own marks are numbered by the game. Of slots: the number of slots that had ended at
  // an event of the game, with the sums of the process before it; all of these since the last mark are of a single
  // slot.
  FrameMark frame;
};

class BpfWatch {
 public:
  // Watches the present program of `target`, and no later one. At most kMostMarks `places`.
  [[nodiscard]] static Result<std::unique_ptr<BpfWatch>, Unavailable> open(const WatchTarget& target,
                                                                           const std::vector<ProbeFile>& places,
                                                                           const BpfWatchOptions& options);

  [[nodiscard]] const WatchAbilities& abilities() const { return m_abilities; }
  // Own marks have numbers; else only time and thread.
  [[nodiscard]] bool numbersMarks() const { return m_way != MarkWay::Getrusage; }

  // Appends the marks, in order of time, and samples since the last call. A second without a call ends the delays.
  void collect(std::vector<BpfMark>& marks, FaultSampleBatch& samples);
  // Sets the mark whose frames SampleMode::Spikes and delays refer to.
  void choose(std::size_t mark);
  // The game's faults after the last mark of the chosen function that collect() has appended; absent before the first.
  [[nodiscard]] std::optional<std::uint64_t> faultsAfterMark() const;
  // Address in the game's memory of the function that the last lookup has handed out to present frames; 0: none.
  [[nodiscard]] std::uint64_t handedOut() const;
  // Begins the first slot, now; until then nothing is counted.
  MonotonicTime beginSlots();
  // Of slots: the sums at present with the number of slots that had ended at the last event; absent while the mark of
  // that event is to be collected.
  [[nodiscard]] std::optional<FrameMark> present() const;
  // True once, after the kernel has skipped a run of a program for the first time. Call after collect().
  [[nodiscard]] bool beginsToSkip();
  // The process has become another program, or has other credentials; no more marks or samples come.
  [[nodiscard]] bool programLeft() const;
  // The kernel's counts for the whole process when it became another program; absent if it did not.
  struct Counts {
    std::uint64_t minor = 0;
    std::uint64_t major = 0;
  };
  [[nodiscard]] std::optional<Counts> faultsAtExec() const;

 private:
  struct State;
  static int takeMark(void* state, void* record, std::size_t size);
  static int takeSample(void* state, void* record, std::size_t size);
  explicit BpfWatch(Hidden<State> state) : m_state(std::move(state)) {}
  [[nodiscard]] static Result<std::unique_ptr<BpfWatch>, Unavailable> openBy(MarkWay way, const WatchTarget& target,
                                                                             const std::vector<ProbeFile>& places,
                                                                             const BpfWatchOptions& options,
                                                                             const BpfKernel& kernel,
                                                                             const ProgramImage& image);
  [[nodiscard]] bool readRings();
  [[nodiscard]] std::optional<Unavailable> start(const WatchTarget& target, const std::vector<ProbeFile>& places);
  [[nodiscard]] std::optional<Unavailable> listenForMarks(const WatchTarget& target,
                                                          const std::vector<ProbeFile>& places);
  [[nodiscard]] std::optional<Unavailable> setBreakpoints(const ProcessFolder& folder,
                                                          const std::vector<ProbeFile>& places);

  Hidden<State> m_state;
  MarkWay m_way = MarkWay::Probe;
  WatchAbilities m_abilities;
};

}  // namespace faultline
