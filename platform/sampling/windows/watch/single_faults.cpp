#include "platform/sampling/windows/watch/single_faults.h"

#include <windows.h>

#include <utility>

#include "platform/sampling/windows/watch/fault_functions.h"
#include "platform/system/windows/system_text.h"

namespace faultline {

std::optional<FaultWatch> watchFaults(const WatchOptions& options, MonotonicTime now, WatchedGame& game) {
  if (options.samples != SampleMode::All) {
    game.samples = options.samples == SampleMode::None
                       ? unavailable("Not requested")
                       : unavailable(
                             "Windows notes single faults only if it is asked to for this process, and "
                             "then until the process ends",
                             "ask for every call stack ('every stack', '--stacks all')");
    return std::nullopt;
  }
  UniqueHandle process(::OpenProcess(PROCESS_QUERY_INFORMATION | PROCESS_SET_INFORMATION, FALSE, options.pid));
  if (!process) {
    game.samples = unavailable("The process cannot be opened for that: " + reasonOf(::GetLastError()));
    return std::nullopt;
  }
  auto watch = FaultWatch::begin(faultFunctions(std::move(process)), now);
  game.samples = watch ? FaultWatch::quality() : unavailable(watch.error().message);
  if (!watch) return std::nullopt;
  return std::move(*watch);
}

}  // namespace faultline
