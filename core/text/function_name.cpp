#include "core/text/function_name.h"

#include <algorithm>
#include <cctype>

namespace faultline {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";

bool inIdentifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isOperator(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with(kOperator) || (at > 0 && inIdentifier(text[at - 1]))) return false;
  return at + kOperator.size() < text.size() && !inIdentifier(text[at + kOperator.size()]);
}

// The start of the parameters after "operator<<", "operator()" or "operator bool".
std::size_t pastOperator(std::string_view text, std::size_t at) {
  at += kOperator.size();
  if (text.substr(at).starts_with("()")) at += 2;
  return std::min(text.find('(', at), text.size());
}

// The position of the bracket that closes the one at `open`; the end of the text if there is none.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return text.size();
}

// A function nested in another, such as a lambda: the outer function's parameters are part of its name.
bool continuesName(std::string_view behind) {
  if (behind.starts_with(" const")) behind.remove_prefix(6);
  return behind.starts_with("::");
}

}  // namespace

std::string_view bareFunctionName(std::string_view text) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (isOperator(text, at)) at = pastOperator(text, at);
    const std::string_view rest = text.substr(std::min(at, text.size()));
    if (rest.starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
    } else if (rest.starts_with('<') || rest.starts_with('{')) {
      ++depth;
    } else if (rest.starts_with('>') || rest.starts_with('}')) {
      --depth;
    } else if (depth == 0 && rest.starts_with(' ')) {
      begin = at + 1;
    } else if (depth == 0 && rest.starts_with('(')) {
      const std::size_t end = closing(text, at);
      if (end == text.size() || !continuesName(text.substr(end + 1))) return text.substr(begin, at - begin);
      at = end;
    }
  }
  return text.substr(begin);
}

std::string shownFunctionName(std::string_view name) {
  constexpr std::size_t kLongest = 1024;
  if (name.size() <= kLongest) return std::string(name);
  return std::string(name.substr(0, kLongest)) + "…";
}

std::string_view lastIdentifier(std::string_view text) {
  std::string_view name = bareFunctionName(text);
  if (name.ends_with('>')) name = name.substr(0, name.find('<'));
  const auto end = std::find_if_not(name.rbegin(), name.rend(), inIdentifier);
  name.remove_prefix(static_cast<std::size_t>(name.rend() - end));
  return name == kOperator ? std::string_view() : name;
}

}  // namespace faultline
