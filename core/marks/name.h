// The argument of `--mark`: FILE:FUNCTION, a function whose calls end frames, or (without a colon) the name of a mark
// that the game itself sets. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace faultline {

// `file` is a path, the name of a mapped file, or empty for the program itself. `function` is a symbol
// "glXSwapBuffers", a versioned symbol "name@VERS", a C++ name with or without parameters, or an address as printed by
// `nm`, "11d0" or "0x11d0".
struct FunctionName {
  std::string file;
  std::string function;

  bool operator==(const FunctionName&) const = default;
};

// Splits at the first single colon, except that of a drive: not in "Renderer::present" and "C:\game.exe".
[[nodiscard]] std::optional<FunctionName> parseFunctionName(std::string_view mark);

}  // namespace faultline
