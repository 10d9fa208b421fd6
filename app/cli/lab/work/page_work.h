// Work for the threads in which Windows zeroes pages.
#pragma once

#include "core/base/result.h"

namespace faultline {

// For half a second, takes memory, touches each page and gives all back: more than the list of zeroed pages needs, so
// that the threads zero what was given back.
[[nodiscard]] Result<void> askForPages();

}  // namespace faultline
