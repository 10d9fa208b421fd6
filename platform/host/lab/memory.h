// Memory straight from the operating system, for the lab. Errors: the system's reason, or that the system has no such
// call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/result.h"

namespace faultline {

inline constexpr std::size_t kLargePage = std::size_t{2} << 20U;

enum class LabPages {
  Small,      // never large ones
  Large,      // of kLargePage, where the system has any left; aligned to it
  Populated,  // small, and mapped at once
};

// Private memory to read and write; zeroed at its first use.
[[nodiscard]] Result<std::span<std::byte>> mapMemory(std::size_t bytes, LabPages pages = LabPages::Small);
void unmapMemory(std::span<std::byte> memory);  // a whole result of mapMemory()

enum class MemoryAdvice { Prefetch, PopulateRead, PopulateWrite, Lock, Drop, Free, Cold };
[[nodiscard]] Result<void> advise(std::span<std::byte> memory, MemoryAdvice advice);

// Whether malloc() and mapMemory() may get large pages in this process from now on.
[[nodiscard]] Result<void> allowLargePages(bool allowed);

void trimHeap();  // malloc() gives its free memory back to the system, where it can

[[nodiscard]] std::size_t pageBytes();
[[nodiscard]] std::optional<std::uint64_t> availableMemory();  // that a program may take without swapping

}  // namespace faultline
