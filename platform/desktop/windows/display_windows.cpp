#include "platform/desktop/display.h"

namespace faultline {

bool displayNamed() {
  return true;
}

}  // namespace faultline
