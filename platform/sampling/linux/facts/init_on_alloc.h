// Whether the kernel clears every page that it hands out (init_on_alloc), by its command line and its configuration
// (in /boot, /proc/config.gz or /lib/modules).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace faultline {

// Absent if neither says. An empty configuration stands for one that cannot be read.
[[nodiscard]] std::optional<bool> initOnAlloc(std::string_view commandLine, std::string_view configuration);
[[nodiscard]] std::optional<bool> initOnAlloc();
// The first of `files` that can be read, compressed or not; empty if there is none.
[[nodiscard]] std::string kernelConfiguration(std::span<const std::string> files);

}  // namespace faultline
