#include "core/parse/machine_text.h"

#include "core/parse/number.h"

namespace faultline {
namespace {

// Values in os-release are quoted as in a shell: optional quotes, backslash escapes.
std::string unquoted(std::string_view value) {
  const bool quoted =
      value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  if (quoted) value = value.substr(1, value.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) ++i;
    text += value[i];
  }
  return text;
}

}  // namespace

std::string prettyName(std::string_view osRelease) {
  constexpr std::string_view kKey = "PRETTY_NAME=";
  while (const auto line = takeLine(osRelease)) {
    if (line->starts_with(kKey)) return unquoted(line->substr(kKey.size()));
  }
  return {};
}

std::string processorName(std::string_view cpuinfo) {
  while (const auto line = takeLine(cpuinfo)) {
    if (!line->starts_with("model name")) continue;
    const std::size_t colon = line->find(": ");
    if (colon != std::string_view::npos) return std::string(line->substr(colon + 2));
  }
  return {};
}

}  // namespace faultline
