#include "platform/host/costs/conditions.h"

namespace faultline {

std::string costSettings() {
  return {};
}

std::optional<double> machineLoad() {
  return std::nullopt;
}

}  // namespace faultline
