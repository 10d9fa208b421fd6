#include "core/culprits/fault_kind.h"

#include <algorithm>
#include <array>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::uint64_t kPageBits =
    12;  // smallest page size of all supported machines, so that different pages are never confused
constexpr std::size_t kStackPointerX86 = 7;
constexpr std::size_t kRegistersX86 = 17;
constexpr std::size_t kStackPointerArm = 31;
constexpr std::size_t kRegistersArm = 33;

std::optional<std::uint64_t> stackPointer(const FaultSample& sample) {
  if (sample.registers.size() == kRegistersX86) return sample.registers[kStackPointerX86];
  if (sample.registers.size() == kRegistersArm) return sample.registers[kStackPointerArm];
  return std::nullopt;
}

// The kernel keeps shared memory in internal files with these names.
bool isSharedMemory(const FaultMapping& mapping) {
  static constexpr std::array<std::string_view, 6> kNames{
      "/dev/zero", "dev/zero", "/memfd:", "memfd:", "/SYSV", "SYSV"};
  return mapping.shared &&
         (!mapping.file || mapping.name.starts_with("/dev/shm/") ||
          std::ranges::any_of(kNames, [&](std::string_view name) { return mapping.name.starts_with(name); }));
}

bool isDevice(const FaultMapping& mapping) {
  static constexpr std::array<std::string_view, 4> kNames{"/dev/", "anon_inode:", "/dmabuf:", "dmabuf:"};
  return !mapping.name.starts_with("/dev/shm/") &&
         std::ranges::any_of(kNames, [&](std::string_view name) { return mapping.name.starts_with(name); });
}

FaultKind kindOfAnonymous(const FaultSample& sample) {
  if (sample.major) return FaultKind::SwappedIn;
  if (!sample.access) return FaultKind::Unknown;
  if (sample.access->present) return sample.access->write ? FaultKind::CopyOnWrite : FaultKind::Unknown;
  return FaultKind::FirstTouch;
}

FaultKind kindOfShared(const FaultSample& sample) {
  if (sample.major) return FaultKind::SwappedIn;
  return sample.access && !sample.access->present ? FaultKind::FirstTouch : FaultKind::Unknown;
}

FaultKind kindOf(const FaultSample& sample) {
  if (!sample.mapping) return FaultKind::Unknown;
  if (isSharedMemory(*sample.mapping)) return kindOfShared(sample);
  if (!sample.mapping->file) return kindOfAnonymous(sample);
  const bool copies = sample.access && sample.access->present && sample.access->write && !sample.mapping->shared;
  return copies ? FaultKind::CopyOnWrite : FaultKind::File;
}

}  // namespace

std::string_view faultKindName(FaultKind kind) {
  static constexpr std::array<std::string_view, kFaultKinds> kNames{
      "first touch", "touched again after release", "copy on write", "file page", "swapped in", "unknown"};
  return kNames.at(static_cast<std::size_t>(kind));
}

MemoryKind memoryKind(const FaultSample& sample) {
  if (!sample.mapping) return MemoryKind::Unknown;
  const FaultMapping& mapping = *sample.mapping;
  if (isSharedMemory(mapping)) return MemoryKind::Shared;
  if (mapping.file) return isDevice(mapping) ? MemoryKind::Device : MemoryKind::File;
  if (mapping.name == "[heap]") return MemoryKind::Heap;
  const auto stack = stackPointer(sample);
  if (mapping.name == "[stack]" || (stack && *stack >= mapping.begin && *stack < mapping.end)) return MemoryKind::Stack;
  return MemoryKind::Anonymous;
}

std::string memoryName(const FaultSample& sample) {
  switch (memoryKind(sample)) {
    case MemoryKind::Heap:
      return "heap";
    case MemoryKind::Stack:
      return "stack";
    case MemoryKind::Shared:
      return "shared memory";
    case MemoryKind::Unknown:
      return "unknown";
    case MemoryKind::Anonymous:
      return sample.mapping->name.empty() ? "anonymous memory" : printableName(sample.mapping->name);
    case MemoryKind::File:
    case MemoryKind::Device:
      break;
  }
  return sample.mapping->name.empty() ? "unnamed file" : printableName(sample.mapping->name);
}

FaultKind FaultKinds::next(const FaultSample& sample) {
  FaultKind kind = kindOf(sample);
  const auto [page, isNew] = m_pages.try_emplace(sample.address >> kPageBits, sample.time);
  // Threads that wait for the same page all fault: such a fault began before the first one ended.
  const MonotonicTime began = sample.time - sample.took.value_or(Nanoseconds(0));
  if (kind == FaultKind::FirstTouch && !isNew && began > page->second) kind = FaultKind::TouchedAgain;
  page->second = sample.time;
  return kind;
}

}  // namespace faultline
