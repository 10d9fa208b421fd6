#include "core/parse/memory_stat.h"

#include <charconv>
#include <string>

namespace faultline {
namespace {

// Of a line "NAME NUMBER"; in version 1, "total_NAME NUMBER" includes the groups below.
std::optional<std::uint64_t> numberOf(std::string_view text, std::string_view name) {
  const std::string wanted = "\n" + std::string(name) + " ";
  const std::size_t at = text.starts_with(wanted.substr(1)) ? 0 : text.find(wanted);
  if (at == std::string_view::npos) return std::nullopt;
  const char* const digits = text.data() + at + wanted.size() - (at == 0 ? 1 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(digits, end, number);
  return error == std::errc{} && (stop == end || *stop == '\n') ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<GroupFaults> parseMemoryStat(std::string_view text) {
  for (const std::string prefix : {"total_", ""}) {
    const auto all = numberOf(text, prefix + "pgfault");
    const auto major = numberOf(text, prefix + "pgmajfault");
    if (all && major) return GroupFaults{*all, *major};
  }
  return std::nullopt;
}

}  // namespace faultline
