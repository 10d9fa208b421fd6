#include "platform/host/display.h"

#ifdef FAULTLINE_XCB
#include <xcb/xcb.h>

#include <cstdlib>
#include <memory>
#include <string>
#endif

namespace faultline {

#ifdef FAULTLINE_XCB

// freedesktop.org's System Tray Protocol: a tray owns the selection _NET_SYSTEM_TRAY_S<screen>.
std::optional<bool> trayOnX() {
  int screen = 0;
  const std::unique_ptr<xcb_connection_t, decltype(&xcb_disconnect)> x(xcb_connect(nullptr, &screen), xcb_disconnect);
  const std::string name = "_NET_SYSTEM_TRAY_S" + std::to_string(screen);
  const auto asked = xcb_intern_atom(x.get(), 0, static_cast<std::uint16_t>(name.size()), name.c_str());
  const std::unique_ptr<xcb_intern_atom_reply_t, decltype(&std::free)> selection(
      xcb_intern_atom_reply(x.get(), asked, nullptr), std::free);
  if (!selection) return false;
  const std::unique_ptr<xcb_get_selection_owner_reply_t, decltype(&std::free)> owner(
      xcb_get_selection_owner_reply(x.get(), xcb_get_selection_owner(x.get(), selection->atom), nullptr), std::free);
  return owner && owner->owner != XCB_NONE;
}

#else

std::optional<bool> trayOnX() {
  return std::nullopt;
}

#endif

}  // namespace faultline
