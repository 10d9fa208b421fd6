#include "platform/host/lab/memory.h"

#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

tl::unexpected<Error> refused(const std::string& call) {
  return fail(call + ": " + reasonOf(::GetLastError()) + ".");
}

// Absent before Windows 8: looked up, so that the program still starts there.
Result<void> prefetch(std::span<std::byte> memory) {
  struct Range {
    void* start;
    SIZE_T size;
  };
  using Call = BOOL(WINAPI*)(HANDLE, ULONG_PTR, Range*, ULONG);
  const HMODULE kernel = ::GetModuleHandleW(L"kernel32.dll");
  const auto call = reinterpret_cast<Call>(reinterpret_cast<void*>(::GetProcAddress(kernel, "PrefetchVirtualMemory")));
  if (call == nullptr) return fail("This Windows has no PrefetchVirtualMemory.");
  Range range{.start = memory.data(), .size = memory.size()};
  if (call(::GetCurrentProcess(), 1, &range, 0) == 0) return refused("PrefetchVirtualMemory");
  return {};
}

// A process may lock little less than its minimum working set.
Result<void> lock(std::span<std::byte> memory) {
  const SIZE_T least = memory.size() + (SIZE_T{4} << 20U);
  if (::SetProcessWorkingSetSize(::GetCurrentProcess(), least, 2 * least) == 0)
    return refused("SetProcessWorkingSetSize");
  if (::VirtualLock(memory.data(), memory.size()) == 0) return refused("VirtualLock");
  return {};
}

}  // namespace

Result<std::span<std::byte>> mapMemory(std::size_t bytes, LabPages pages) {
  if (pages == LabPages::Large || pages == LabPages::Reserved)
    return fail("Large pages of Windows need a privilege, and are not measured.");
  if (pages == LabPages::Populated) return fail("VirtualAlloc cannot map pages at once.");
  void* const at = ::VirtualAlloc(nullptr, bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
  if (at == nullptr) return refused("VirtualAlloc");
  return std::span(static_cast<std::byte*>(at), bytes);
}

std::vector<std::size_t> mediumPages() {
  return {};
}

Result<std::span<std::byte>> mapMedium(std::size_t /*bytes*/, std::size_t /*page*/) {
  return fail("Windows has no such pages.");
}

void unmapMemory(std::span<std::byte> memory) {
  ::VirtualFree(memory.data(), 0, MEM_RELEASE);
}

Result<void> advise(std::span<std::byte> memory, MemoryAdvice advice) {
  switch (advice) {
    case MemoryAdvice::Prefetch:
      return prefetch(memory);
    case MemoryAdvice::Lock:
      return lock(memory);
    case MemoryAdvice::Free:
      if (::VirtualAlloc(memory.data(), memory.size(), MEM_RESET, PAGE_READWRITE) == nullptr)
        return refused("VirtualAlloc(MEM_RESET)");
      return {};
    default:
      return fail("Windows has no such call.");
  }
}

Result<void> allowLargePages(bool /*allowed*/) {
  return {};  // Windows gives large pages on request alone
}

Result<void> fixHeapThreshold(std::size_t /*bytes*/) {
  return fail("The heap of Windows has no such setting.");
}

Result<void> growHeapBy(std::size_t /*bytes*/) {
  return fail("The heap of Windows has no such setting.");
}

void trimHeap() {
  ::HeapCompact(::GetProcessHeap(), 0);
}

std::size_t pageBytes() {
  SYSTEM_INFO info{};
  ::GetSystemInfo(&info);
  return info.dwPageSize;
}

std::optional<std::uint64_t> availableMemory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (::GlobalMemoryStatusEx(&status) == 0) return std::nullopt;
  return status.ullAvailPhys;
}

}  // namespace faultline
