// The error of a system call that has just failed.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "core/base/result.h"

namespace faultline {

[[nodiscard]] inline tl::unexpected<Error> refused(const std::string& call) {
  return fail(call + ": " + std::generic_category().message(errno) + ".");
}

}  // namespace faultline
