// Finds debug information that was split off a file: by build id below /usr/lib/debug, or by name beside the file.
// Ignores DEBUGINFOD_URLS, because servers may take minutes.
#pragma once

#include <elfutils/libdwfl.h>

namespace faultline {

[[nodiscard]] const Dwfl_Callbacks& debugFileCallbacks();

}  // namespace faultline
