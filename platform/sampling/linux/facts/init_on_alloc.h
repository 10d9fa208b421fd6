// Whether the kernel clears every page that it hands out, asked for or not (init_on_alloc): from its command line, and
// from what it was configured with, which is in /boot, in /proc/config.gz or in /lib/modules.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace faultline {

// Nothing if neither says; an empty configuration is one that cannot be read.
[[nodiscard]] std::optional<bool> initOnAlloc(std::string_view commandLine, std::string_view configuration);
[[nodiscard]] std::optional<bool> initOnAlloc();
// The first of these files that can be read, compressed or not; empty if none can.
[[nodiscard]] std::string kernelConfiguration(std::span<const std::string> files);

}  // namespace faultline
