// WatchObject: the programs of kernel/watch/watch.bpf.c in the running kernel, as many as can be loaded, while this
// object lives. They see the game's faults; BpfWatch attaches the program that sees its marks.
#pragma once

#include <optional>
#include <vector>

#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/bpf/kernel.h"
#include "platform/sampling/linux/perf/event.h"
#include "platform/sampling/linux/watch/bpf/parts.h"
#include "platform/sampling/records/watch_records.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {

class WatchObject {
 public:
  // `noSlot`: why no program may run at all processes' faults; no reason: it may. `noDelay`: why no fault may be
  // delayed.
  WatchObject(Unavailable noSlot, Unavailable noDelay) : m_noSlot(std::move(noSlot)), m_noDelay(std::move(noDelay)) {}

  // Loads the parts that work, and attaches the programs for ends of faults; `folder` is the game's.
  // Unavailable: nothing works.
  [[nodiscard]] std::optional<Unavailable> load(const MaybeFaultTiming& timing, const BpfKernel& kernel,
                                                WatchSettings settings, const ProcessFolder& folder);
  // Attaches the other programs, except those for marks. 0, or errno.
  [[nodiscard]] int attachToTracepoints();

  [[nodiscard]] WatchAbilities& abilities() { return m_abilities; }
  [[nodiscard]] int program(const char* name) const;  // its descriptor
  [[nodiscard]] int map(const char* name) const;
  [[nodiscard]] WatchShared& shared() const { return *m_shared; }
  [[nodiscard]] int attach(const char* program) { return attachBpf(m_object, program, m_links); }
  [[nodiscard]] std::uint64_t skippedRuns() const { return faultline::skippedRuns(m_object).value_or(0); }
  // Keeps the events while this object lives.
  void keep(std::vector<PerfEvent> events);

 private:
  [[nodiscard]] std::optional<Unavailable> loadMost(WatchSettings settings);
  [[nodiscard]] Unavailable attachToEnds(const ProcessFolder& folder);
  [[nodiscard]] int attachToEvents(const ProcessFolder& folder);
  [[nodiscard]] Unavailable attachPair(const char* first, const char* second);
  [[nodiscard]] Unavailable attachToSwitches();
  [[nodiscard]] Unavailable attachToTeardown();

  WatchAbilities m_abilities;
  Unavailable m_noSlot;
  Unavailable m_noDelay;
  BpfObject m_object;
  BpfShared<WatchShared> m_shared;
  std::vector<BpfLink> m_links;
  std::vector<PerfEvent> m_events;
};

}  // namespace faultline
