// Which threads zero pages in the background, seen by their work while a stimulus runs.
#pragma once

#include <functional>
#include <string>

#include "core/base/result.h"

namespace faultline {

// Watches the threads of the process that zeroes pages while `pause` runs; returns a report for a person. Error: this
// system has no such threads, or does not show them.
[[nodiscard]] Result<std::string> checkZeroingThreads(const std::function<void()>& pause);

}  // namespace faultline
