#include "platform/sampling/standstill.h"

namespace faultline {

// On Windows the collector changes no other program's memory.
Result<void> limitStandstill(Nanoseconds /*most*/) {
  return {};
}

}  // namespace faultline
