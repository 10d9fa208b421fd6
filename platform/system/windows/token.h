// The rights of this program.
#pragma once

#include <windows.h>

namespace faultline {

// The token has the rights of an administrator in effect. `token`: a handle with TOKEN_QUERY.
[[nodiscard]] inline bool isElevated(HANDLE token) {
  TOKEN_ELEVATION elevation{};
  DWORD size = sizeof elevation;
  return ::GetTokenInformation(token, TokenElevation, &elevation, size, &size) != 0 && elevation.TokenIsElevated != 0;
}

}  // namespace faultline
