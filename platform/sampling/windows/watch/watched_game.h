// A game that is watched, by its process handle.
#pragma once

#include <windows.h>

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/model/hello.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

[[nodiscard]] std::string processText(std::uint32_t pid);  // "Process 4711"
// The process, to wait for its end and to ask for its counts. Error: a sentence.
[[nodiscard]] Result<UniqueHandle> openGame(std::uint32_t pid);
[[nodiscard]] bool hasExited(const UniqueHandle& process);
// The Hello of a watch, but the event that ends frames, and the quality of their faults.
[[nodiscard]] Hello helloOfGame(std::uint32_t pid, const UniqueHandle& process, Nanoseconds interval);

inline constexpr const char* kNoCountsUnderWine =
    "Wine counts no page faults, so that the frames of this game have none.";

}  // namespace faultline
