// The machine's description in Hello.
#pragma once

#include "core/model/hello.h"

namespace faultline {

[[nodiscard]] Machine readMachine();
// "8.0"; nullptr on Windows.
[[nodiscard]] const char* wineVersion();

}  // namespace faultline
