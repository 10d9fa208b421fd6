#include "core/trial/program_kind.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace faultline {
namespace {

std::string_view textOf(std::span<const std::byte> file) {
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

template <class T>
std::optional<T> at(std::span<const std::byte> file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

// A field that is 8 bytes wide in a 64-bit file and 4 bytes in a 32-bit file.
std::uint64_t addressAt(std::span<const std::byte> file, bool wide, std::uint64_t offset) {
  return wide ? at<std::uint64_t>(file, offset).value_or(0) : at<std::uint32_t>(file, offset).value_or(0);
}

ProgramKind scriptKind(std::string_view text) {
  std::string_view line = text.substr(2, text.find('\n') - 2);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  ProgramKind kind{.form = ProgramKind::Form::Script};
  kind.interpreter = line.substr(0, line.find_first_of(" \t\r"));
  // /usr/bin/env runs a program that it searches: its first word that is neither an option nor a setting.
  if (!kind.interpreter.ends_with("/env")) return kind;
  line.remove_prefix(kind.interpreter.size());
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
    if (!word.empty() && word.front() != '-' && word.find('=') == std::string_view::npos) {
      kind.interpreter = word;
      return kind;
    }
    line.remove_prefix(word.size());
  }
  return kind;
}

}  // namespace

ProgramKind programKind(std::span<const std::byte> file) {
  const std::string_view text = textOf(file);
  if (text.starts_with("#!")) return scriptKind(text);
  constexpr char kLittle = 1;
  constexpr char kBig = 2;
  constexpr char kOwnOrder = std::endian::native == std::endian::little ? kLittle : kBig;
  if (text.size() < 52 ||
      !text.starts_with("\x7f"
                        "ELF") ||
      text[5] != kOwnOrder)
    return {};
  ProgramKind kind{.form = ProgramKind::Form::Static, .wide = text[4] == 2};
  const std::uint64_t table = addressAt(file, kind.wide, kind.wide ? 32 : 28);
  const auto size = at<std::uint16_t>(file, kind.wide ? 54 : 42).value_or(0);
  const auto count = at<std::uint16_t>(file, kind.wide ? 56 : 44).value_or(0);
  constexpr std::uint32_t kInterpreter = 3;  // PT_INTERP
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t header = table + i * size;
    if (at<std::uint32_t>(file, header) != kInterpreter) continue;
    const std::uint64_t place = addressAt(file, kind.wide, header + (kind.wide ? 8 : 4));
    kind.form = ProgramKind::Form::Dynamic;
    if (place < text.size()) kind.interpreter = text.substr(place, text.find('\0', place) - place);
  }
  const std::string loader = kind.interpreter.substr(kind.interpreter.rfind('/') + 1);
  kind.readsTunables = kind.form == ProgramKind::Form::Dynamic
                           ? loader.starts_with("ld-linux") || loader.starts_with("ld64.so") || loader == "ld.so.1"
                           : text.find("GLIBC_TUNABLES") != std::string_view::npos;
  return kind;
}

}  // namespace faultline
