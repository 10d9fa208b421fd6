// The ways in which BPF programs (kernel/watch/watch.bpf.c) see the marks of a game.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {

// Probes in a single process need Linux 6.6. Breakpoints need perf events; several can be distinguished only on x86.
enum class MarkWay : std::uint8_t {
  Probe = kMarkAtProbe,
  Breakpoint = kMarkAtBreakpoint,
  Getrusage = kMarkAtGetrusage,
  Slot = kMarkAtSlot
};

// The possible ways, the best first. `places` is empty if the game does not say where its own marks are, and for slots.
[[nodiscard]] std::vector<MarkWay> waysTo(const std::vector<ProbeFile>& places, bool ownMarks);
// False for programs that see marks in another way; they are not loaded.
[[nodiscard]] bool isWanted(std::string_view program, const WatchSettings& settings);
[[nodiscard]] bool isAtProbes(std::string_view program);  // not at breakpoints or functions of the kernel
[[nodiscard]] bool holdsLookups(const std::vector<ProbeFile>& places);

void nameBreakpoints(const std::vector<ProbeFile>& places, WatchSettings& settings);

}  // namespace faultline
