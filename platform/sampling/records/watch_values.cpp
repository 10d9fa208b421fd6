#include "platform/sampling/records/watch_values.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace faultline {
namespace {

// include/linux/mm.h
constexpr std::uint64_t kVmWrite = 0x2;
constexpr std::uint64_t kVmExec = 0x4;
constexpr std::uint64_t kVmShared = 0x8;

constexpr unsigned kRegistersOfArm = 33;

Nanoseconds nanoseconds(std::uint64_t count) {
  return Nanoseconds(static_cast<std::int64_t>(count));
}

FaultTimeParts partsOf(const FaultParts& parts) {
  return {.onProcessor = nanoseconds(parts.onProcessor),
          .waiting = nanoseconds(parts.waiting),
          .blocked = nanoseconds(parts.blocked)};
}

bool has(std::uint64_t bits, std::uint64_t bit) {
  return (bits & bit) != 0;
}

// x86: the error code pushed by the processor (arch/x86/include/asm/trap_pf.h).
FaultAccess accessOnX86(std::uint64_t code) {
  return {.write = has(code, 0x2), .present = has(code, 0x1), .execute = has(code, 0x10)};
}

// arm64: the exception syndrome register (arch/arm64/include/asm/esr.h): class, fault status, write bit.
FaultAccess accessOnArm(std::uint64_t syndrome) {
  const std::uint64_t kind = syndrome >> 26U & 0x3fU;
  const bool fetch = kind == 0x20 || kind == 0x21;
  return {.write = !fetch && has(syndrome, 1U << 6U), .present = (syndrome & 0x3cU) == 0x0c, .execute = fetch};
}

template <std::size_t kSize>
std::string textOf(const char (&bytes)[kSize]) {
  return {bytes, strnlen(bytes, kSize)};
}

FaultMapping mappingOf(const SampleRecord& record) {
  FaultMapping mapping;
  mapping.begin = record.mappingBegin;
  mapping.end = record.mappingEnd;
  mapping.writable = has(record.mappingFlags, kVmWrite);
  mapping.executable = has(record.mappingFlags, kVmExec);
  mapping.shared = has(record.mappingFlags, kVmShared);
  const bool device = record.mappingKind == kMappingDevice;
  mapping.file = device || record.mappingKind == kMappingFile;
  if (mapping.file) mapping.name = (device ? "/dev/" : "") + textOf(record.fileName);
  else if (record.mappingKind == kMappingHeap) mapping.name = "[heap]";
  else if (record.mappingKind == kMappingStack) mapping.name = "[stack]";
  return mapping;
}

}  // namespace

FrameMark frameMarkOf(const MarkRecord& record, const WatchMeasures& measures) {
  FrameMark mark{.number = record.number,
                 .time = {nanoseconds(record.time)},
                 .thread = record.thread,
                 .minorFaults = record.process.minorFaults,
                 .majorFaults = record.process.majorFaults,
                 .ownMinorFaults = record.own.minorFaults,
                 .ownMajorFaults = record.own.majorFaults};
  if (measures.zeroing) {
    mark.zeroedBytes = record.process.zeroedPages * measures.pageBytes;
    mark.ownZeroedBytes = record.own.zeroedPages * measures.pageBytes;
  }
  if (measures.faultTime) {
    mark.faultTime = nanoseconds(record.process.faultTime);
    mark.ownFaultTime = nanoseconds(record.own.faultTime);
    mark.timedFaults = record.process.timedFaults;
  }
  if (measures.faultParts) {
    mark.faultParts = partsOf(record.parts);
    mark.threadTime = ThreadTime{.inFaults = partsOf(record.ownParts),
                                 .waiting = nanoseconds(record.ownWaiting),
                                 .sleeping = nanoseconds(record.ownSleeping)};
  }
  if (measures.teardown) {
    mark.teardown = nanoseconds(record.teardown);
    mark.ownTeardown = nanoseconds(record.ownTeardown);
  }
  if (measures.delay) {
    mark.delay = FrameDelay{.added = nanoseconds(record.delay.added),
                            .ownAdded = nanoseconds(record.delay.ownAdded),
                            .ownAwaited = nanoseconds(record.delay.ownAwaited),
                            .pair = record.delay.stretch / 2,
                            .delayed = record.delay.stretch % 2 == 1};
  }
  return mark;
}

FaultSample faultSampleOf(const SampleRecord& record) {
  FaultSample sample;
  sample.time = {nanoseconds(record.time)};
  sample.thread = record.thread;
  sample.threadName = textOf(record.threadName);
  sample.address = record.address;
  sample.weight = record.weight;
  sample.major = has(record.flags, kSampleMajor);
  sample.inKernel = has(record.flags, kSampleInKernel);
  sample.took = nanoseconds(record.took);
  const auto registers = std::min<std::size_t>(record.registerCount, kMostRegisters);
  sample.access = registers == kRegistersOfArm ? accessOnArm(record.errorCode) : accessOnX86(record.errorCode);
  if (has(record.flags, kSampleMapped)) sample.mapping = mappingOf(record);
  sample.registers.assign(record.registers, record.registers + registers);
  const auto stack =
      std::as_bytes(std::span(record.stack)).first(std::min<std::size_t>(record.stackBytes, kSentStackBytes));
  sample.stack.assign(stack.begin(), stack.end());
  return sample;
}

}  // namespace faultline
