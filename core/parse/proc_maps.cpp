#include "core/parse/proc_maps.h"

#include <charconv>

#include "core/parse/number.h"

namespace faultline {
namespace {

constexpr std::string_view kLineBreak = "\\012";

// Takes a hexadecimal number and the byte after it.
template <class Number>
bool takeHex(std::string_view& text, Number& value, char behind) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return takeByte(text, behind);
}

bool takeEither(std::string_view& text, char yes, char no, bool& value) {
  value = !text.empty() && text.front() == yes;
  return takeByte(text, value ? yes : no);
}

bool takeAccess(std::string_view& text, ProcMapping& mapping) {
  return takeEither(text, 'r', '-', mapping.readable) && takeEither(text, 'w', '-', mapping.writable) &&
         takeEither(text, 'x', '-', mapping.executable) && takeEither(text, 's', 'p', mapping.shared) &&
         takeByte(text, ' ');
}

}  // namespace

std::optional<ProcMapping> parseProcMapping(std::string_view line) {
  ProcMapping mapping;
  if (!takeHex(line, mapping.begin, '-') || !takeHex(line, mapping.end, ' ') || !takeAccess(line, mapping) ||
      !takeHex(line, mapping.offset, ' ') || !takeHex(line, mapping.deviceMajor, ':') ||
      !takeHex(line, mapping.deviceMinor, ' '))
    return std::nullopt;
  const auto inode = takeNumber(line);
  if (!inode || mapping.end <= mapping.begin) return std::nullopt;
  mapping.inode = *inode;
  // Blanks pad the columns; a name does not begin with one.
  const std::size_t name = line.find_first_not_of(' ');
  if (name == 0) return std::nullopt;
  if (name != std::string_view::npos) mapping.name = line.substr(name);
  return mapping;
}

std::string mappedPath(std::string_view name) {
  std::string path;
  for (std::size_t next = 0; (next = name.find(kLineBreak)) != std::string_view::npos;) {
    path.append(name.substr(0, next)).push_back('\n');
    name.remove_prefix(next + kLineBreak.size());
  }
  return path.append(name);
}

}  // namespace faultline
