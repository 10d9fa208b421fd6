// The ways in which BPF programs see the marks of a game, and what each takes beside its program (kernel/watch.bpf.c).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/records/watch_records.h"

namespace faultline {

// Probes in one process alone are there since Linux 6.6; breakpoints take
// perf events, and are told apart from each other on x86 only.
enum class MarkWay : std::uint8_t {
  Probe = kMarkAtProbe,
  Breakpoint = kMarkAtBreakpoint,
  Getrusage = kMarkAtGetrusage
};

// Those that there may be, the best one first; no places: the game does not say where its own marks are.
[[nodiscard]] std::vector<MarkWay> waysTo(const std::vector<ProbeFile>& places, bool ownMarks);
// Whether that program is to be loaded: not one that tells marks in another way.
[[nodiscard]] bool isWanted(std::string_view program, const WatchSettings& settings);

void nameBreakpoints(const std::vector<ProbeFile>& places, WatchSettings& settings);

}  // namespace faultline
