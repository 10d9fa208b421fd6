// Whether this session names a display on which windows may be shown, reachable or not. On Linux: DISPLAY or
// WAYLAND_DISPLAY.
#pragma once

namespace faultline {

[[nodiscard]] bool displayNamed();

}  // namespace faultline
