// Records of the perf events that watch a game: samples have IDENTIFIER | TID | TIME, and those of single faults also
// ADDR | REGS_USER | STACK_USER. A record that is too short or inconsistent is absent. Makes no system call.
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
  MonotonicTime time;  // the event's clock must be CLOCK_MONOTONIC

  bool operator==(const PerfNote&) const = default;
};

// The registers to sample, one bit each (sample_regs_user), and the index of each DWARF register among the sampled
// ones.
struct PerfRegisters {
  std::uint64_t mask = 0;
  std::span<const std::uint8_t> places;
};
[[nodiscard]] PerfRegisters perfRegistersX86();
[[nodiscard]] PerfRegisters perfRegistersArm64();

[[nodiscard]] std::optional<PerfNote> parsePerfNote(const PerfRecord& sample);
// When the process executed another program, if the record tells that (PERF_RECORD_COMM with the flag of comm_exec).
// The event must have sample_id_all.
[[nodiscard]] std::optional<MonotonicTime> parsePerfExec(const PerfRecord& record, std::uint32_t process);
// Sets all fields but weight, kind and the thread's name.
[[nodiscard]] std::optional<FaultSample> parsePerfFault(const PerfRecord& sample, const PerfRegisters& registers);

}  // namespace faultline
