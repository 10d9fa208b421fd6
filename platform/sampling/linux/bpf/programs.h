// BpfPrograms: the sweep's programs in the running kernel, while this object lives. If the kernel or the privileges
// exclude some parts, the others work. Loading needs cap_bpf and cap_perfmon; the other calls need no privilege.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "core/base/hidden.h"
#include "core/base/result.h"
#include "core/model/snapshot.h"
#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/linux/bpf/parts.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/records/sweep_records.h"

namespace faultline {

class BpfKernel;

class BpfPrograms {
 public:
  // Error: the part Sweep does not work. `noSlot`: why no program may run at all processes' faults; no reason: it may.
  [[nodiscard]] static Result<std::unique_ptr<BpfPrograms>, Unavailable> load(bool faultTime,
                                                                              const Unavailable& noSlot = {});

  [[nodiscard]] bool works(BpfPart part) const { return reason(part).why.empty(); }
  [[nodiscard]] const Unavailable& reason(BpfPart part) const { return m_reasons[static_cast<std::size_t>(part)]; }

  [[nodiscard]] bool sparesClearing() const { return m_sparesClearing; }
  [[nodiscard]] FaultTiming timing() const { return m_timing; }
  [[nodiscard]] TeardownWay teardownWay() const { return m_teardownWay; }
  // False: MADV_DONTNEED takes no lock of the process's mappings here, where the way is Lock.
  [[nodiscard]] bool timesDiscards() const { return m_timesDiscards; }
  // Why the way is not Function; empty if it is.
  [[nodiscard]] const Unavailable& whyNotByFunction() const { return m_whyNotByFunction; }

  // Starts or stops measuring time inside faults; off at first.
  void measureFaults(bool measure);
  // False if a sweep needs privileges that are not in effect.
  [[nodiscard]] bool canSweep() const;
  // Of all faults that were timed since loading; absent if the kernel shares no memory for it.
  [[nodiscard]] std::optional<FaultDurations> faultDurations() const;
  // All threads (records/sweep_records.h); valid until the next call.
  [[nodiscard]] Result<std::span<const std::byte>> sweep();
  // Visits the processes that ended since the last call.
  void forEachExit(const std::function<void(const ProcessRecord&)>& visit);
  // Becomes readable when forEachExit() should be called before the next sweep; -1: never.
  [[nodiscard]] int exitsFile() const { return m_exitsFile; }
  // Sums of the ended processes for which the ring had no room.
  [[nodiscard]] std::span<const EndedSum, kEndedSums> endedSums() const;
  [[nodiscard]] std::uint64_t lostExits() const;
  [[nodiscard]] std::optional<std::uint64_t> skippedRuns() const;  // bpf/handles.h

 private:
  struct State;
  explicit BpfPrograms(Hidden<State> state) : m_state(std::move(state)) {}
  void loadWith(const BpfKernel& kernel, const MaybeFaultTiming& timing);
  void excuseParts();
  [[nodiscard]] bool seesAFault();
  [[nodiscard]] bool seesASwitch();
  [[nodiscard]] bool seesATeardown();
  [[nodiscard]] bool seesADiscard();
  void attach(BpfPart part);
  [[nodiscard]] int attachPrograms(BpfPart part);

  Hidden<State> m_state;
  std::array<Unavailable, kBpfPartCount> m_reasons;
  FaultTiming m_timing;
  TeardownWay m_teardownWay = TeardownWay::Function;
  Unavailable m_whyNotByFunction;
  int m_exitsFile = -1;
  bool m_timesDiscards = true;
  bool m_sparesClearing = false;
};

}  // namespace faultline
