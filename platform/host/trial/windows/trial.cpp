#include "platform/host/trial/place.h"
#include "platform/host/trial/run.h"

namespace faultline {

TrialPlace trialPlace(const std::string& /*program*/) {
  const Unavailable linuxOnly{.why = "this remedy is one of Linux", .enable = {}};
  return {.tunables = linuxOnly,
          .preload = linuxOnly,
          .hugePages = linuxOnly,
          .adviceAlone = linuxOnly,
          .hugePool = linuxOnly,
          .ownPreload = linuxOnly,
          .nodes = linuxOnly};
}

Result<std::optional<TrialSample>> runTrial(const TrialCommand& /*command*/, const TrialCancel& /*cancel*/,
                                            const TrialWatch* /*watch*/) {
  return fail("Faultline cannot try remedies on Windows yet.");
}

}  // namespace faultline
