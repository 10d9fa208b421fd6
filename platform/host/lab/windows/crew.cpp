#include "platform/host/lab/crew.h"

namespace faultline {

Result<ProcessCrew> ProcessCrew::start(std::size_t /*count*/, const std::function<void(std::uint8_t)>& /*work*/) {
  return fail("Windows has no fork().");
}

Result<CrewUsage> ProcessCrew::together(std::uint8_t /*step*/) {
  return fail("Windows has no fork().");
}

}  // namespace faultline
