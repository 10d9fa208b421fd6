// The names of the pipes that are the standard streams of an elevated collector.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace faultline {

// In the order of standard input, output and error.
inline constexpr std::array kStreamPipes{std::wstring_view(L"-in"), std::wstring_view(L"-out"),
                                         std::wstring_view(L"-err")};
inline constexpr std::size_t kStreamNameLength = 32;

// No name leads out of the folder of pipes.
[[nodiscard]] inline bool isStreamName(std::string_view name) {
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() == kStreamNameLength && std::ranges::all_of(name, digit);
}
[[nodiscard]] inline std::wstring streamPipe(std::string_view name, std::size_t stream) {
  return L"\\\\.\\pipe\\faultline-" + std::wstring(name.begin(), name.end()) + std::wstring(kStreamPipes.at(stream));
}

}  // namespace faultline
