// WatchObject: the programs of kernel/watch.bpf.c in the running kernel, as many of them as load there, for as long as
// this lives. They see the game's faults; what tells its marks is attached by BpfWatch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/bpf/kernel.h"
#include "platform/sampling/linux/perf/event.h"
#include "platform/sampling/linux/watch/bpf/parts.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {

class WatchObject {
 public:
  // `noSlot`: why nothing may run at everybody's faults; empty: it may.
  explicit WatchObject(std::string noSlot) : m_noSlot(std::move(noSlot)) {}

  // Loads what can be, and attaches what tells the ends of faults; `folder` is the game's in /proc. An reason:
  // nothing works.
  [[nodiscard]] std::optional<Unavailable> load(const MaybeFaultTiming& timing, const BpfKernel& kernel,
                                                WatchSettings settings, int folder);
  // Attaches the rest but for the marks. 0, or errno.
  [[nodiscard]] int attachToTracepoints();

  [[nodiscard]] WatchAbilities& abilities() { return m_abilities; }
  [[nodiscard]] int program(const char* name) const;  // its descriptor
  [[nodiscard]] int map(const char* name) const;
  [[nodiscard]] WatchShared& shared() const { return *m_shared; }
  [[nodiscard]] int attach(const char* program) { return attachBpf(m_object, program, m_links); }
  // Keeps the events for as long as this lives.
  void keep(std::vector<PerfEvent> events);

 private:
  [[nodiscard]] std::optional<Unavailable> loadMost(WatchSettings settings);
  [[nodiscard]] Unavailable attachToEnds(int folder);
  [[nodiscard]] int attachToEvents(int folder);
  [[nodiscard]] Unavailable attachToSwitches();

  WatchAbilities m_abilities;
  std::string m_noSlot;
  BpfObject m_object;
  BpfShared<WatchShared> m_shared;
  std::vector<BpfLink> m_links;
  std::vector<PerfEvent> m_events;
};

}  // namespace faultline
