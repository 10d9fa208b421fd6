#include "platform/host/child_process.h"

#include "core/watch/collector_end.h"

namespace faultline {

std::string howEnded(const ExitStatus& status) {
  if (!status.known) return "ended in a way that the system has not told";
  return status.signal != 0 ? "was killed by " + signalText(status.signal) : endedWith(status.code);
}

}  // namespace faultline
