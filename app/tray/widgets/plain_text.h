// Untrusted names as text for widgets: a tooltip would take "<b>" for a tag, and a name may have any length.
#pragma once

#include <QString>
#include <string_view>

namespace faultline {

// Never rich text; breaks words that are wider than any screen.
[[nodiscard]] QString plainToolTip(QString text);

// Lines of it break neither between a number and its unit nor after ≈.
[[nodiscard]] QString wholeNumbers(QString text);

// Printable, and shortened for one line.
[[nodiscard]] QString shortName(std::string_view rawName);

}  // namespace faultline
