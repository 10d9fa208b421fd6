#include "platform/sampling/records/perf_fault_records.h"

#include <array>
#include <bit>

namespace faultline {
namespace {

using Body = std::span<const std::byte>;

// The kernel's numbers, include/uapi/linux/perf_event.h.
constexpr std::uint16_t kModeMask = 7;
constexpr std::uint16_t kKernelMode = 1;
constexpr std::uint16_t kCommExec = 1 << 13;
constexpr std::uint64_t kNoRegisters = 0;
constexpr std::uint64_t kRegisters64 = 2;

// arch/x86/include/uapi/asm/perf_regs.h: ax, bx, cx, dx, si, di, bp, sp, ip are the bits 0 to 8, r8 to r15 16 to 23.
constexpr std::uint64_t kMaskX86 = 0xFF01FF;
constexpr std::array<std::uint8_t, 17> kPlacesX86{0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 8};

// arch/arm64/include/uapi/asm/perf_regs.h has DWARF's own order.
constexpr std::uint64_t kMaskArm64 = 0x1FFFFFFFF;
constexpr auto kPlacesArm64 = [] {
  std::array<std::uint8_t, 33> places{};
  for (std::size_t place = 0; place < places.size(); ++place) places[place] = static_cast<std::uint8_t>(place);
  return places;
}();

bool takeNote(Body& body, PerfNote& note) {
  std::uint64_t time = 0;
  if (!takePerf(body, note.event) || !takePerf(body, note.process) || !takePerf(body, note.thread) ||
      !takePerf(body, time) || time > INT64_MAX)
    return false;
  note.time = {Nanoseconds(static_cast<std::int64_t>(time))};
  return true;
}

// Skips the registers of a 32-bit program, which have another layout.
bool takeRegisters(Body& body, const PerfRegisters& wanted, std::vector<std::uint64_t>& out) {
  std::uint64_t abi = 0;
  if (!takePerf(body, abi)) return false;
  if (abi == kNoRegisters) return true;
  std::array<std::uint64_t, 64> values{};
  const auto count = static_cast<std::size_t>(std::popcount(wanted.mask));
  for (std::size_t i = 0; i < count; ++i)
    if (!takePerf(body, values[i])) return false;
  if (abi != kRegisters64) return true;
  for (const std::uint8_t place : wanted.places) out.push_back(values[place]);
  return true;
}

// PERF_SAMPLE_STACK_USER: the requested size, that many bytes, then the size that was filled.
bool takeStack(Body& body, std::vector<std::byte>& out) {
  std::uint64_t size = 0;
  if (!takePerf(body, size) || size > body.size()) return false;
  if (size == 0) return true;
  const Body bytes = body.first(static_cast<std::size_t>(size));
  body = body.subspan(bytes.size());
  std::uint64_t filled = 0;
  if (!takePerf(body, filled) || filled > size) return false;
  out.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(filled));
  return true;
}

}  // namespace

PerfRegisters perfRegistersX86() {
  return {kMaskX86, kPlacesX86};
}
PerfRegisters perfRegistersArm64() {
  return {kMaskArm64, kPlacesArm64};
}

std::optional<PerfNote> parsePerfNote(const PerfRecord& sample) {
  Body body = sample.body;
  PerfNote note;
  return takeNote(body, note) ? std::optional(note) : std::nullopt;
}

// The record has: process, thread, name; then, as sample_id: process, thread, time, event.
std::optional<MonotonicTime> parsePerfExec(const PerfRecord& record, std::uint32_t process) {
  constexpr std::size_t kTimeAndEvent = 16;
  Body body = record.body;
  std::uint32_t named = 0;
  std::int64_t time = 0;
  if (record.type != kPerfComm || (record.misc & kCommExec) == 0) return std::nullopt;
  if (!takePerf(body, named) || named != process || body.size() < kTimeAndEvent) return std::nullopt;
  body = body.last(kTimeAndEvent);
  if (!takePerf(body, time) || time < 0) return std::nullopt;
  return MonotonicTime{Nanoseconds(time)};
}

std::optional<FaultSample> parsePerfFault(const PerfRecord& sample, const PerfRegisters& registers) {
  Body body = sample.body;
  PerfNote note;
  FaultSample fault;
  if (!takeNote(body, note) || !takePerf(body, fault.address)) return std::nullopt;
  if (!takeRegisters(body, registers, fault.registers) || !takeStack(body, fault.stack)) return std::nullopt;
  fault.time = note.time;
  fault.thread = note.thread;
  fault.inKernel = (sample.misc & kModeMask) == kKernelMode;
  return fault;
}

}  // namespace faultline
