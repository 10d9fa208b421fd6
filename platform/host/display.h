// The display of the session, and Qt's settings for it.
#pragma once

#include <optional>
#include <string_view>

namespace faultline {

// Whether the session names a display, reachable or not. Linux: DISPLAY or WAYLAND_DISPLAY is set. Windows: always.
[[nodiscard]] bool displayNamed();
// Why Qt can show no window, and what helps; without a full stop. `waylandPlugin`: Qt has its plug-in for Wayland.
[[nodiscard]] std::string_view whyNoWindow(bool waylandPlugin);

// Whether a program offers a tray on the X display of the session; absent where this cannot be asked.
[[nodiscard]] std::optional<bool> trayOnX();

// Settings of Qt with which a program looks like the others of this system. Null: Qt's own choice.
struct DisplayChoice {
  const char* platform = nullptr;  // a value for QT_QPA_PLATFORM
  const char* style = nullptr;
};
[[nodiscard]] DisplayChoice displayChoice();

// Windows gives a window program no standard output where it was started from a console: takes that console's. From
// then on, the console's end is also the program's. True: a console, a file or a program reads standard output, but Qt
// would show a box. Elsewhere false: Qt itself writes there.
bool joinConsole();

}  // namespace faultline
