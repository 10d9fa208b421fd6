#include "platform/host/trial/place.h"

namespace faultline {

TrialPlace anyTrialPlace() {
  return {.windows = true, .preload = Unavailable{.why = "this remedy is one of Linux", .enable = {}}};
}

TrialPlace trialPlace(const std::string& /*program*/) {
  return anyTrialPlace();
}

}  // namespace faultline
