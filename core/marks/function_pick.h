// Picking one function of a file by the name that a person gave. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

struct KnownFunction {
  std::string symbol;          // as the linker knows it, without a version
  std::string readable{};      // the same as the source has it, "Renderer::present(int)"; empty if it is no other
  std::string version{};       // "GLX_1.3"
  bool oldVersion = false;     // there for programs that were linked with it; not what a new one would get
  bool global = true;          // seen beyond the file that it was compiled in
  bool chosenAtStart = false;  // not the function itself, but what chooses among several (IFUNC)
  std::uint64_t address = 0;   // as the file has it, which is neither a place in memory nor in the file

  bool operator==(const KnownFunction&) const = default;
};

// Whether it is worth knowing a function of this symbol when `wanted` is looked for; not only what fits is.
[[nodiscard]] bool mayBeMeant(std::string_view symbol, std::string_view wanted);

// Error: there is none, which are near, and what `ifNone` adds; or several, and how to tell them apart.
[[nodiscard]] Result<KnownFunction> pickFunction(std::span<const KnownFunction> functions, std::string_view wanted,
                                                 std::string_view file, std::string_view ifNone = {});

}  // namespace faultline
