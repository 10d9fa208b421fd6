// Whether the session names a display, reachable or not. Linux: DISPLAY or WAYLAND_DISPLAY is set. Windows: always.
#pragma once

namespace faultline {

[[nodiscard]] bool displayNamed();

}  // namespace faultline
