#include "platform/host/display.h"

namespace faultline {

bool displayNamed() {
  return true;
}

}  // namespace faultline
