#include "core/parse/nt/processes.h"

#include <cassert>
#include <cstring>
#include <type_traits>

namespace faultline {
namespace {

// Layouts from Microsoft's winternl.h and the phnt headers; pointers and sizes are 64 bits.
struct ThreadRecord {
  std::uint64_t kernelTime;
  std::uint64_t userTime;
  std::uint64_t createTime;
  std::uint32_t waitTime;
  std::uint64_t startAddress;
  std::uint64_t process;
  std::uint64_t thread;
  std::int32_t priority;
  std::int32_t basePriority;
  std::uint32_t contextSwitches;
  std::uint32_t state;
  std::uint32_t waitReason;
};
static_assert(sizeof(ThreadRecord) == 0x50 && std::is_trivially_copyable_v<ThreadRecord>);
static_assert(offsetof(ThreadRecord, startAddress) == 0x20 && offsetof(ThreadRecord, process) == 0x28);
static_assert(offsetof(ThreadRecord, priority) == 0x38 && offsetof(ThreadRecord, basePriority) == 0x3C);

struct ProcessRecord {
  std::uint32_t nextEntryOffset;
  std::uint32_t numberOfThreads;
  std::uint64_t workingSetPrivateSize;
  std::uint32_t hardFaultCount;
  std::uint32_t numberOfThreadsHighWatermark;
  std::uint64_t cycleTime;
  std::uint64_t createTime;
  std::uint64_t userTime;
  std::uint64_t kernelTime;
  std::uint16_t nameLength;  // in bytes
  std::uint16_t nameMaximumLength;
  std::uint64_t nameBuffer;
  std::int32_t basePriority;
  std::uint64_t process;
  std::uint64_t parent;
  std::uint32_t handleCount;
  std::uint32_t sessionId;
  std::uint64_t uniqueProcessKey;
  std::uint64_t peakVirtualSize;
  std::uint64_t virtualSize;
  std::uint32_t pageFaultCount;
  std::uint64_t peakWorkingSetSize;
  std::uint64_t workingSetSize;
  std::uint64_t quotaPeakPagedPoolUsage;
  std::uint64_t quotaPagedPoolUsage;
  std::uint64_t quotaPeakNonPagedPoolUsage;
  std::uint64_t quotaNonPagedPoolUsage;
  std::uint64_t pagefileUsage;
  std::uint64_t peakPagefileUsage;
  std::uint64_t privatePageCount;
  std::uint64_t ioCounters[6];
};
static_assert(sizeof(ProcessRecord) == 0x100 && std::is_trivially_copyable_v<ProcessRecord>);
static_assert(offsetof(ProcessRecord, hardFaultCount) == 0x10 && offsetof(ProcessRecord, cycleTime) == 0x18);
static_assert(offsetof(ProcessRecord, createTime) == 0x20);
static_assert(offsetof(ProcessRecord, nameLength) == 0x38 && offsetof(ProcessRecord, process) == 0x50);
static_assert(offsetof(ProcessRecord, pageFaultCount) == 0x80 && offsetof(ProcessRecord, workingSetSize) == 0x90);
static_assert(offsetof(ProcessRecord, pagefileUsage) == 0xB8 && offsetof(ProcessRecord, privatePageCount) == 0xC8);

// The caller guarantees the size, but not the alignment.
template <class Record>
Record load(std::span<const std::byte> bytes) {
  assert(bytes.size() >= sizeof(Record));
  Record record{};
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

std::span<const std::byte> within(const NtProcessList& list, std::uint64_t address, std::size_t size) {
  const std::uint64_t offset = address - list.address;
  if (offset > list.bytes.size() || size > list.bytes.size() - offset) return {};
  return list.bytes.subspan(static_cast<std::size_t>(offset), size);
}

}  // namespace

std::size_t NtProcess::threads() const {
  return threadRecords.size() / sizeof(ThreadRecord);
}

NtThread NtProcess::thread(std::size_t index) const {
  const auto record = load<ThreadRecord>(threadRecords.subspan(index * sizeof(ThreadRecord)));
  return {.process = static_cast<std::uint32_t>(record.process),
          .thread = static_cast<std::uint32_t>(record.thread),
          .createTime = record.createTime,
          .kernelTime = record.kernelTime,
          .basePriority = record.basePriority,
          .contextSwitches = record.contextSwitches};
}

std::optional<NtProcess> takeNtProcess(NtProcessList& list) {
  if (list.ended || list.next > list.bytes.size()) return std::nullopt;
  const auto rest = list.bytes.subspan(list.next);
  if (rest.size() < sizeof(ProcessRecord)) return std::nullopt;
  const auto record = load<ProcessRecord>(rest);
  const bool last = record.nextEntryOffset == 0;
  // The next record follows this one and its threads; both must fit before it.
  const std::size_t room = last ? rest.size() : record.nextEntryOffset;
  const std::uint64_t size = sizeof record + std::uint64_t{record.numberOfThreads} * sizeof(ThreadRecord);
  if (room > rest.size() || size > room) return std::nullopt;
  if (record.process > UINT32_MAX || record.parent > UINT32_MAX) return std::nullopt;
  list.next += room;
  list.ended = last;

  return NtProcess{.pid = static_cast<std::uint32_t>(record.process),
                   .parentPid = static_cast<std::uint32_t>(record.parent),
                   .createTime = record.createTime,
                   .userTime = record.userTime,
                   .kernelTime = record.kernelTime,
                   .cycles = record.cycleTime,
                   .faults = record.pageFaultCount,
                   .hardFaults = record.hardFaultCount,
                   .workingSetBytes = record.workingSetSize,
                   .privateWorkingSetBytes = record.workingSetPrivateSize,
                   .pagefileBytes = record.pagefileUsage,
                   .privateBytes = record.privatePageCount,
                   .name = within(list, record.nameBuffer, record.nameLength),
                   .threadRecords = rest.subspan(sizeof record, static_cast<std::size_t>(size) - sizeof record)};
}

}  // namespace faultline
