// Records of the perf events with which a game is watched: their samples are IDENTIFIER | TID | TIME, and those that
// tell a fault whole ADDR | REGS_USER | STACK_USER besides. Pure, like perf_record.h; a record that is too short, or
// that contradicts itself, is nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/model/fault_sample.h"
#include "platform/sampling/records/perf_record.h"

namespace faultline {

struct PerfNote {
  std::uint64_t event = 0;
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  MonotonicTime time;  // where the event's clock is CLOCK_MONOTONIC

  bool operator==(const PerfNote&) const = default;
};

// The registers of a program that perf is to tell, a bit each, and where each of DWARF's registers then stands.
struct PerfRegisters {
  std::uint64_t mask = 0;
  std::span<const std::uint8_t> places;
};
[[nodiscard]] PerfRegisters perfRegistersX86();
[[nodiscard]] PerfRegisters perfRegistersArm64();

[[nodiscard]] std::optional<PerfNote> parsePerfNote(const PerfRecord& sample);
// All but weight, kind and the thread's name.
[[nodiscard]] std::optional<FaultSample> parsePerfFault(const PerfRecord& sample, const PerfRegisters& registers);

}  // namespace faultline
