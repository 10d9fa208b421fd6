#include "core/parse/proc_status.h"

#include "core/parse/number.h"

namespace faultline {
namespace {

// The rest of the line that begins with `key`.
std::optional<std::string_view> valueOf(std::string_view text, std::string_view key) {
  while (const auto line = takeLine(text))
    if (line->starts_with(key)) return line->substr(key.size());
  return std::nullopt;
}

std::optional<std::uint32_t> number32(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> first(std::optional<std::string_view> values) {
  return values ? number32(values->substr(0, values->find('\t'))) : std::nullopt;
}
std::optional<std::uint32_t> last(std::optional<std::string_view> values) {
  return values ? number32(values->substr(values->rfind('\t') + 1)) : std::nullopt;
}

}  // namespace

std::optional<ProcStatus> parseProcStatus(std::string_view text) {
  const auto group = first(valueOf(text, "Tgid:\t"));
  const auto user = first(valueOf(text, "Uid:\t"));
  const auto inner = last(valueOf(text, "NSpid:\t"));
  if (!group || !user || !inner) return std::nullopt;
  return ProcStatus{*group, *user, *inner};
}

}  // namespace faultline
