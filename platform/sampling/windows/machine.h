// What this machine is, for Hello.
#pragma once

#include "core/model/hello.h"

namespace faultline {

[[nodiscard]] Machine readMachine();
// "8.0"; nullptr: this is Windows itself.
[[nodiscard]] const char* wineVersion();

}  // namespace faultline
