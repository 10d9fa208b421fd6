#include "app/cli/stacks/source_lines.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/base/file_name.h"

namespace faultline {
namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{16} << 20U;  // of a file of source
constexpr std::size_t kLongest = 200;

std::string withoutBlanks(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return text.substr(begin, std::min(text.find_last_not_of(" \t\r") + 1 - begin, kLongest));
}

}  // namespace

std::string sourceLine(const std::string& file, int line) {
  const std::filesystem::path path = pathFromUtf8(file);
  std::error_code error;
  if (line <= 0 || !std::filesystem::is_regular_file(path, error)) return {};
  if (const auto bytes = std::filesystem::file_size(path, error); error || bytes > kLargest) return {};
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  for (int number = 0; number < line; ++number)
    if (!std::getline(stream, text)) return {};
  return withoutBlanks(text);
}

std::string sourceRoot() {
  if (const char* const checkout = std::getenv("GITHUB_WORKSPACE"); checkout != nullptr && *checkout != '\0')
    return checkout;
  std::error_code error;
  return nameInUtf8(std::filesystem::current_path(error));
}

}  // namespace faultline
