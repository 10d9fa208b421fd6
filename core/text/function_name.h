// Names of C++ functions as people type them: without what surrounds the name. Pure.
#pragma once

#include <string_view>

namespace faultline {

// "Renderer::present" of "void Renderer::present<int>(int) const" and the like, but with the template's arguments; C
// names stay as they are.
[[nodiscard]] std::string_view bareFunctionName(std::string_view demangled);
// The last identifier: "present" of "ns::Renderer::present(int)"; empty for operators.
[[nodiscard]] std::string_view lastIdentifier(std::string_view demangled);

}  // namespace faultline
