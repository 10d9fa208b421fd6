// Finds the debug information that was split off a file: by its build id below /usr/lib/debug, or by name beside it.
// On this machine only: what DEBUGINFOD_URLS names is not asked, as that may take minutes.
#pragma once

#include <elfutils/libdwfl.h>

namespace faultline {

[[nodiscard]] const Dwfl_Callbacks& debugFileCallbacks();

}  // namespace faultline
