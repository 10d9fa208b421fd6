// What `--mark` names: the function whose calls end frames, as FILE:FUNCTION; or, without a colon, one of the marks
// that the game sets itself. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace faultline {

// `file` is a path, a mapped file's name, or empty for the program itself. `function` is a symbol, "glXSwapBuffers",
// one with its version, "name@VERS", a C++ name with or without parameters, or an address as `nm` prints it, "0x11d0".
struct FunctionName {
  std::string file;
  std::string function;

  bool operator==(const FunctionName&) const = default;
};

// Split at the first colon that stands alone: those of "Renderer::present" and of "C:\game.exe" do not.
[[nodiscard]] std::optional<FunctionName> parseFunctionName(std::string_view mark);

}  // namespace faultline
