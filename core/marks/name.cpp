#include "core/marks/name.h"

#include <cctype>

namespace faultline {
namespace {

bool isColon(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] == ':';
}

bool endsDrive(std::string_view text, std::size_t at) {
  return at == 1 && std::isalpha(static_cast<unsigned char>(text[0])) != 0 && text.size() > 2 &&
         (text[2] == '\\' || text[2] == '/');
}

}  // namespace

std::optional<FunctionName> parseFunctionName(std::string_view mark) {
  for (std::size_t at = 0; at < mark.size(); ++at) {
    if (!isColon(mark, at) || endsDrive(mark, at)) continue;
    if (!isColon(mark, at + 1)) return FunctionName{std::string(mark.substr(0, at)), std::string(mark.substr(at + 1))};
    ++at;
  }
  return std::nullopt;
}

}  // namespace faultline
