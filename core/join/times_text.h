// The text of a file of frame times as CSV: from UTF-16, as PowerShell's > writes it, and from the JSON of CapFrameX's
// captures. Tells files that are known to hold no frame times from those that do.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

// The tools whose files are read: "PresentMon, OCAT, ...".
[[nodiscard]] std::string_view timesTools();

// `fileName` tells some formats by its ending. Any other text stays as it is. Error: a known format of another kind,
// with the remedy; the message continues a sentence that begins with the file's name.
[[nodiscard]] Result<std::string> timesText(std::string_view fileName, std::string bytes);

}  // namespace faultline
