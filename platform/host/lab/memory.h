// Memory straight from the operating system, for the lab. Errors: the system's reason, or that the system has no such
// call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace faultline {

inline constexpr std::size_t kLargePage = std::size_t{2} << 20U;

enum class LabPages {
  Small,      // never large ones
  Large,      // of kLargePage, where the system has any left; aligned to it
  Reserved,   // of kLargePage, from those that the administrator has reserved (hugetlb)
  Populated,  // small, and mapped at once
};

// Private memory to read and write; zeroed at its first use.
[[nodiscard]] Result<std::span<std::byte>> mapMemory(std::size_t bytes, LabPages pages = LabPages::Small);
// Sizes of pages between small and large that the system knows.
[[nodiscard]] std::vector<std::size_t> mediumPages();
// Aligned memory for pages of one of these sizes; the system may give small ones all the same. Error: switched off.
[[nodiscard]] Result<std::span<std::byte>> mapMedium(std::size_t bytes, std::size_t page);
void unmapMemory(std::span<std::byte> memory);  // a result of mapMemory(), on Linux also a part of one

// PageOut: to swap, where there is any.
enum class MemoryAdvice { Prefetch, PopulateRead, PopulateWrite, Lock, Drop, Free, Cold, PageOut };
[[nodiscard]] Result<void> advise(std::span<std::byte> memory, MemoryAdvice advice);

// Whether malloc() and mapMemory() may get large pages in this process from now on.
[[nodiscard]] Result<void> allowLargePages(bool allowed);

// malloc() passes blocks from this size on to the system from now on, and never learns another. Error: it cannot.
[[nodiscard]] Result<void> fixHeapThreshold(std::size_t bytes);
// Bytes that malloc() asks the system for beyond its need. Error: it has no such setting.
[[nodiscard]] Result<void> growHeapBy(std::size_t bytes);
void trimHeap();  // malloc() gives its free memory back to the system, where it can

[[nodiscard]] std::size_t pageBytes();
[[nodiscard]] std::optional<std::uint64_t> availableMemory();  // that a program may take without swapping

}  // namespace faultline
