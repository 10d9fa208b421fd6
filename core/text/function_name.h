// Names of C++ functions as users type them, without return type and parameters. Pure.
#pragma once

#include <string_view>

namespace faultline {

// "Renderer::present<int>" of "void Renderer::present<int>(int) const". C names are returned unchanged.
[[nodiscard]] std::string_view bareFunctionName(std::string_view demangled);
// The last identifier: "present" of "ns::Renderer::present(int)". Empty for operators.
[[nodiscard]] std::string_view lastIdentifier(std::string_view demangled);

}  // namespace faultline
