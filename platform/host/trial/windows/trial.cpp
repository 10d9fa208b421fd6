#include "platform/host/trial/place.h"
#include "platform/host/trial/run.h"

namespace faultline {

TrialPlace anyTrialPlace() {
  return {.windows = true, .preload = Unavailable{.why = "this remedy is one of Linux", .enable = {}}};
}

TrialPlace trialPlace(const std::string& /*program*/) {
  return anyTrialPlace();
}

Result<std::optional<TrialSample>> runTrial(const TrialCommand& /*command*/, const Interrupt& /*cancel*/,
                                            const TrialWatch* /*watch*/) {
  return fail("Faultline cannot measure whole runs of a program on Windows yet.");
}

}  // namespace faultline
