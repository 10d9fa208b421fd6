#include "core/marks/system_code.h"

#include <algorithm>
#include <array>

namespace faultline {
namespace {

template <std::size_t N>
bool liesIn(std::string_view path, const std::array<std::string_view, N>& folders) {
  return std::ranges::any_of(folders, [&](std::string_view folder) { return path.starts_with(folder); });
}

}  // namespace

bool isSystemModule(std::string_view path) {
  if (path.find("/drive_c/windows/") != std::string_view::npos) return true;  // of Wine
  if (path.starts_with("/usr/")) path.remove_prefix(4);
  return liesIn(path, std::array<std::string_view, 4>{"/lib/", "/lib32/", "/lib64/", "/libx32/"});
}

bool isSystemSource(std::string_view path) {
  const auto contains = [&](std::string_view part) { return path.find(part) != std::string_view::npos; };
  if (contains("/go") && contains("/src/runtime/")) return true;
  return liesIn(path, std::array<std::string_view, 4>{"/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm-", "/rustc/"});
}

}  // namespace faultline
