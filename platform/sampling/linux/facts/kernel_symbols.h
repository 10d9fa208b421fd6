// Addresses of functions in the running kernel, for comparisons only: they never leave this process.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/parse/kallsyms.h"

namespace faultline {

struct KernelSymbols {
  std::vector<KernelFunction> functions;
  int error = 0;        // errno if the file cannot be read
  bool hidden = false;  // the file shows zeros: cap_syslog is missing, or kptr_restrict is 2
};

[[nodiscard]] KernelSymbols readKernelSymbols(std::span<const std::string_view> names,
                                              const char* path = "/proc/kallsyms");

}  // namespace faultline
