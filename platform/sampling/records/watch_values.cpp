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
  using enum FrameMetric;
  FrameMark mark{.number = record.number, .time = {nanoseconds(record.time)}, .thread = record.thread};
  FrameValues& values = mark.values;
  const auto set = [&](FrameGroup group, std::initializer_list<std::pair<FrameMetric, std::uint64_t>> numbers) {
    if (group != FrameGroup::Faults && std::ranges::find(measures.groups, group) == measures.groups.end()) return;
    for (const auto& [metric, value] : numbers) values.set(metric, value);
  };
  const FaultParts& parts = record.parts;
  const FaultParts& own = record.ownParts;
  set(FrameGroup::Faults, {{MinorFaults, record.process.minorFaults},
                           {MajorFaults, record.process.majorFaults},
                           {ThreadMinorFaults, record.own.minorFaults},
                           {ThreadMajorFaults, record.own.majorFaults}});
  set(FrameGroup::Zeroing, {{ZeroedBytes, record.process.zeroedPages * measures.pageBytes},
                            {ThreadZeroedBytes, record.own.zeroedPages * measures.pageBytes},
                            {ZeroedLargeBytes, record.process.zeroedLargePages * measures.pageBytes},
                            {ThreadZeroedLargeBytes, record.own.zeroedLargePages * measures.pageBytes}});
  set(FrameGroup::Timing, {{FaultTime, record.process.faultTime},
                           {ThreadFaultTime, record.own.faultTime},
                           {TimedFaults, record.process.timedFaults},
                           {ThreadSamplingTime, record.ownSampling}});
  set(FrameGroup::Parts, {{FaultTimeOnProcessor, parts.onProcessor},
                          {FaultTimeWaiting, parts.waiting},
                          {FaultTimeBlocked, parts.blocked},
                          {FaultTimeOnDisk, parts.forDisk},
                          {ThreadFaultTimeOnProcessor, own.onProcessor},
                          {ThreadFaultTimeWaiting, own.waiting},
                          {ThreadFaultTimeBlocked, own.blocked},
                          {ThreadFaultTimeOnDisk, own.forDisk},
                          {ThreadWaiting, record.ownWaiting},
                          {ThreadSleeping, record.ownSleeping}});
  set(FrameGroup::Efforts, {{FaultTimeInReclaim, record.process.reclaimTime},
                            {ThreadFaultTimeInReclaim, record.own.reclaimTime},
                            {FaultTimeInCompaction, record.process.compactionTime},
                            {ThreadFaultTimeInCompaction, record.own.compactionTime}});
  set(FrameGroup::Path, {{ThreadAwaiting, record.ownAwaited.game},
                         {ThreadAwaitedFaultTime, record.ownAwaited.faults},
                         {ThreadAwaitedTeardownTime, record.ownAwaited.teardown},
                         {ThreadAwaitedWaiting, record.ownAwaited.waiting},
                         {ThreadWaitingBehind, record.behind.time}});
  if (record.behind.time != 0)
    set(FrameGroup::Path, {{ThreadBehindName, record.behind.name[0]}, {ThreadBehindNameRest, record.behind.name[1]}});
  if (record.awaitedThread != 0) set(FrameGroup::Path, {{ThreadAwaitedThread, record.awaitedThread}});
  if (record.unseen != 0) set(FrameGroup::Timing, {{UnseenFaultTime, record.unseen}});
  set(FrameGroup::Teardown, {{TeardownTime, record.teardown}, {ThreadTeardownTime, record.ownTeardown}});
  set(FrameGroup::Freeing, {{FreedBytes, record.process.freedPages * measures.pageBytes},
                            {ThreadFreedBytes, record.own.freedPages * measures.pageBytes}});
  set(FrameGroup::Delays, {{Delay, record.delay.added},
                           {ThreadDelay, record.delay.ownAdded},
                           {ThreadFutexTime, record.delay.ownAwaited},
                           {DelayStretch, record.delay.stretch}});
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
