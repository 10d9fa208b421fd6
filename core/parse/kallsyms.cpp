#include "core/parse/kallsyms.h"

#include <algorithm>
#include <charconv>

#include "core/parse/number.h"

namespace faultline {
namespace {

constexpr std::uint64_t kEndUnknown = UINT64_MAX;

std::optional<std::uint64_t> takeAddress(std::string_view& text) {
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!takeByte(text, ' ')) return std::nullopt;
  return address;
}

bool isCode(char type) {
  return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

}  // namespace

void KallsymsSearch::feed(std::string_view piece) {
  if (!m_incompleteLine.empty()) {
    const std::size_t newline = piece.find('\n');
    m_incompleteLine += piece.substr(0, newline);
    if (newline == std::string_view::npos) return;
    line(m_incompleteLine);
    piece.remove_prefix(newline + 1);
  }
  while (const auto whole = takeLine(piece)) line(*whole);
  m_incompleteLine = piece;
}

std::vector<KernelFunction> KallsymsSearch::found() const {
  std::vector<KernelFunction> closed = m_found;
  std::erase_if(closed, [](const KernelFunction& function) { return function.end == kEndUnknown; });
  return closed;
}

// "ffffffff821e5a60 T clear_page_erms", for a module's symbol followed by a tab and the module's name. The kernel's own
// symbols are sorted by address, those of modules are not.
void KallsymsSearch::line(std::string_view text) {
  const auto address = takeAddress(text);
  if (!address || text.size() < 3 || text[1] != ' ') return;
  if (*address == 0) return;
  m_addressSeen = true;
  for (KernelFunction& function : m_found) {
    if (*address > function.begin) function.end = std::min(function.end, *address);
  }
  if (!isCode(text.front())) return;
  if (const auto name = wanted(text.substr(2))) m_found.push_back({*name, *address, kEndUnknown});
}

std::optional<std::size_t> KallsymsSearch::wanted(std::string_view name) const {
  const auto matches = [&](std::string_view candidate) {
    return name.starts_with(candidate) && (name.size() == candidate.size() || name[candidate.size()] == '.');
  };
  const auto match = std::ranges::find_if(m_names, matches);
  if (match == m_names.end()) return std::nullopt;
  return static_cast<std::size_t>(match - m_names.begin());
}

}  // namespace faultline
