// faultline-cli doctor --zeroing-threads: shows that the threads that Faultline takes for Windows' zeroing threads are.
#pragma once

#include "app/cli/stream/common_options.h"

namespace faultline {

// Asks for pages, touches and frees them, while a collector watches the threads; prints its report. Returns the exit
// code.
[[nodiscard]] int runThreadCheck(const CommonOptions& common);

}  // namespace faultline
