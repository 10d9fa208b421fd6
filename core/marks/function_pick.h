// Finds a function of a file by the name that the user gave. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

struct KnownFunction {
  std::string symbol;          // as the linker knows it, without version
  std::string readable{};      // demangled, "Renderer::present(int)"; empty if the same
  std::string version{};       // "GLX_1.3"
  bool oldVersion = false;     // not the default version: only for programs linked with it
  bool global = true;          // visible outside the file that defines it
  bool chosenAtStart = false;  // a resolver that chooses among several functions (IFUNC)
  std::uint64_t address = 0;   // virtual address in the file's own terms, neither a memory address nor a file offset

  bool operator==(const KnownFunction&) const = default;
};

// Whether a function of this symbol matters when searching for `wanted`: a match, or a similar name for the error
// message.
[[nodiscard]] bool isRelevantName(std::string_view symbol, std::string_view wanted);

// Error: no such function, with similar names and `ifNone` appended; or an ambiguous name, with the alternatives.
[[nodiscard]] Result<KnownFunction> pickFunction(std::span<const KnownFunction> functions, std::string_view wanted,
                                                 std::string_view file, std::string_view ifNone = {});

}  // namespace faultline
