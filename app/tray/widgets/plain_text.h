// What others have named, as text for widgets: a tooltip takes "<b>" for a tag, and a name may be any length.
#pragma once

#include <QString>
#include <string_view>

namespace faultline {

// Shown as it is, whatever it looks like; words wider than any screen go on in the next line.
[[nodiscard]] QString plainToolTip(QString text);

// Printable, and shortened to what a line has room for.
[[nodiscard]] QString shortName(std::string_view rawName);

}  // namespace faultline
