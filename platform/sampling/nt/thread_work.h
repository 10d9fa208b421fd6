// ThreadWork: what a thread of process 4 did while a stimulus ran. Confirms, or refutes, on the machine at hand that
// those with base priority 0 zero pages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "platform/sampling/nt/functions.h"

namespace faultline {

struct ThreadWork {
  std::uint32_t thread = 0;
  std::int32_t basePriority = 0;
  std::uint32_t switches = 0;
  Nanoseconds time{0};                  // in the kernel, in ticks of about 15.6 ms
  std::optional<std::uint64_t> cycles;  // absent: the thread cannot be opened

  bool operator==(const ThreadWork&) const = default;
};

// The threads that lived before and after `pause` and worked meanwhile, busiest first: by cycles, then by switches.
[[nodiscard]] Result<std::vector<ThreadWork>> threadWork(const NtFunctions& nt, const std::function<void()>& pause);

// A table, and a sentence on the share of the threads with base priority 0.
[[nodiscard]] std::string threadWorkText(const std::vector<ThreadWork>& work);

}  // namespace faultline
