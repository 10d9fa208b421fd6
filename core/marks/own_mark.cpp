#include "core/marks/own_mark.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace faultline {
namespace {

constexpr auto kPictures = std::to_array<std::string_view>(
    {"frame", "render", "present", "draw", "swap", "paint", "display", "video", "picture", "flip"});

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool speaksOfPictures(std::string name) {
  std::ranges::transform(name, name.begin(), lower);
  return std::ranges::any_of(kPictures, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

}  // namespace

std::optional<std::size_t> preferredMark(std::span<const std::string> names) {
  auto found = std::ranges::find_if(names, speaksOfPictures);
  if (found == names.end()) found = std::ranges::find_if(names, [](const std::string& name) { return !name.empty(); });
  return found != names.end() ? std::optional(static_cast<std::size_t>(found - names.begin())) : std::nullopt;
}

}  // namespace faultline
