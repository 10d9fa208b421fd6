// The synthetic machine as Windows: without the numbers that Windows does not have, and with the zeroing of free pages
// in the background. A story of 20 s, again and again: the game takes all zeroed pages in 14 s; for 2 s none is left;
// at 15 s it frees its 2 GiB within a second; at 16 s the zeroing threads clear them within a second, at 0.8 of a core.
#pragma once

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

inline constexpr std::uint64_t kStoryPages = 524'288;  // 2 GiB
inline constexpr std::uint64_t kCyclesPerZeroedPage = 4'600;
inline constexpr std::uint64_t kNsPerZeroedPage = 1'526;  // kStoryPages take 0.8 s
inline constexpr std::uint64_t kSyntheticCyclesPerSecond = kCyclesPerZeroedPage * 1'000'000'000 / kNsPerZeroedPage;
inline constexpr std::uint64_t kOtherSystemCycles = 20'000'000;  // per second, of System's other threads
inline constexpr std::uint64_t kNtTickNs = 15'625'000;           // Windows counts the time of threads in these

// Pages that the zeroing threads have cleared at `t` since tick 0.
[[nodiscard]] std::uint64_t pagesZeroedBy(Nanoseconds t);
// Pages on the two lists at `t`.
[[nodiscard]] std::uint64_t zeroedListPages(Nanoseconds t);
[[nodiscard]] std::uint64_t freeListPages(Nanoseconds t);
// Pages that the game has taken and not freed yet. These and the two lists are kStoryPages together.
[[nodiscard]] std::uint64_t pagesOfGame(Nanoseconds t);

// `t`: since tick 0.
void turnIntoWindows(Nanoseconds t, Snapshot& snapshot);
void turnIntoWindows(Hello& hello);

}  // namespace faultline
