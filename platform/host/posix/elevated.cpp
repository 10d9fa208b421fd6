#include "platform/host/elevated.h"

namespace faultline {

bool canElevate() {
  return false;
}

Result<int> runElevated(const ElevatedCommand& /*command*/) {
  return fail("Only Windows asks for each start of a collector. Type 'sudo faultline-grant' once instead.");
}

}  // namespace faultline
