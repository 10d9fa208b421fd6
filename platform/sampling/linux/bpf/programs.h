// BpfPrograms: Faultline's programs in the running kernel, for as long as this object lives. Each part works on its own
// where the kernel or the privileges allow no more. Loading takes cap_bpf and cap_perfmon, the rest nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"
#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/records/sweep_records.h"

namespace faultline {

class BpfKernel;

enum class BpfPart : std::uint8_t { Sweep, Zeroing, Exits, FaultTime, FaultParts };
inline constexpr std::size_t kBpfPartCount = 5;

class BpfPrograms {
 public:
  // Without the sweep nothing works. `noSlot`: why nothing may run at everybody's faults; empty: it may.
  [[nodiscard]] static Result<std::unique_ptr<BpfPrograms>, Unavailable> load(bool faultTime,
                                                                              const std::string& noSlot = {});
  ~BpfPrograms();
  BpfPrograms(const BpfPrograms&) = delete;
  BpfPrograms& operator=(const BpfPrograms&) = delete;

  [[nodiscard]] bool works(BpfPart part) const { return reason(part).why.empty(); }
  [[nodiscard]] const Unavailable& reason(BpfPart part) const { return m_reasons[static_cast<std::size_t>(part)]; }

  [[nodiscard]] bool sparesClearing() const { return m_sparesClearing; }
  [[nodiscard]] FaultTiming timing() const { return m_timing; }

  // Time inside faults is measured from here on, or is not. It is not at first.
  void measureFaults(bool measure);
  // False if a sweep would need privileges that are not in effect.
  [[nodiscard]] bool canSweep() const;
  // Every thread there is (records/sweep_records.h); valid until the next call.
  [[nodiscard]] Result<std::span<const std::byte>> sweep();
  // Everybody who ended since the last call.
  void forEachExit(const std::function<void(const ProcessRecord&)>& visit);
  // Becomes readable when that should be done without waiting for the next sweep; -1: never.
  [[nodiscard]] int exitsFile() const { return m_exitsFile; }
  // What is known of those for whom there was no room.
  [[nodiscard]] std::span<const EndedSum, kEndedSums> endedSums() const;
  [[nodiscard]] std::uint64_t lostExits() const;

 private:
  struct State;
  explicit BpfPrograms(std::unique_ptr<State> state);
  void loadWith(const BpfKernel& kernel, const MaybeFaultTiming& timing);
  [[nodiscard]] bool seesAFault();
  [[nodiscard]] bool seesASwitch();
  void attach(BpfPart part);
  [[nodiscard]] int attachPrograms(BpfPart part);

  std::unique_ptr<State> m_state;
  std::array<Unavailable, kBpfPartCount> m_reasons;
  FaultTiming m_timing;
  int m_exitsFile = -1;
  bool m_sparesClearing = false;
};

}  // namespace faultline
