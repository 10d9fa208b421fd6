// How busy all processors of the machine are, from /proc/stat and /proc/loadavg. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "core/parse/number.h"

namespace faultline {

// The first line of /proc/stat (proc_stat(5)): the time of all processors since the system started, in ticks of
// sysconf(_SC_CLK_TCK).
struct ProcessorTicks {
  std::uint64_t all = 0;   // with the time that the host of a virtual machine took ("steal")
  std::uint64_t idle = 0;  // with waiting for input and output

  bool operator==(const ProcessorTicks&) const = default;
};

// Absent: the line is not there, is cut, or has fewer than eight values.
[[nodiscard]] inline std::optional<ProcessorTicks> parseProcessorTicks(std::string_view text) {
  if (!text.starts_with("cpu ")) return std::nullopt;
  text.remove_prefix(4);
  ProcessorTicks ticks;
  // user nice system idle iowait irq softirq steal; the guests' time that follows is a part of user and nice.
  for (int field = 0; field < 8; ++field) {
    while (takeByte(text, ' ')) continue;
    const auto value = takeNumber(text);
    if (!value) return std::nullopt;
    ticks.all += *value;
    if (field == 3 || field == 4) ticks.idle += *value;
  }
  return ticks;
}

// Of /proc/loadavg, such as "0.20 0.18 0.12 2/80 11206" (proc_loadavg(5)): the number of threads that run or wait for a
// processor at this moment, the reader's among them. Absent: not told.
[[nodiscard]] inline std::optional<std::uint64_t> parseRunnable(std::string_view text) {
  for (int field = 0; field < 3; ++field) {
    const std::size_t end = text.find(' ');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  const auto runnable = takeNumber(text);
  return runnable && text.starts_with('/') ? runnable : std::nullopt;
}

}  // namespace faultline
