// Names of C++ functions as users type them, without return type and parameters. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace faultline {

// "Renderer::present<int>" of "void Renderer::present<int>(int) const". C names are returned unchanged.
[[nodiscard]] std::string_view bareFunctionName(std::string_view demangled);
// The last identifier: "present" of "ns::Renderer::present(int)". Empty for operators.
[[nodiscard]] std::string_view lastIdentifier(std::string_view demangled);

// Longer symbols are not made readable: a program can have symbols that take minutes for that.
inline constexpr std::size_t kLongestSymbol = 4096;
// The name, cut to 1024 bytes and an ellipsis.
[[nodiscard]] std::string shownFunctionName(std::string_view name);

}  // namespace faultline
