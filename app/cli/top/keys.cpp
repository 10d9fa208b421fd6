#include "app/cli/top/keys.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

void removeLastCharacter(std::string& text) {
  while (text.size() > 1 && (text.back() & '\xC0') == '\x80') text.pop_back();
  if (!text.empty()) text.pop_back();
}

void typeFilter(const Key& key, TopState& state) {
  if (key.kind == KeyKind::Text) state.filter += key.text;
  if (key.kind == KeyKind::Backspace) removeLastCharacter(state.filter);
  if (key.kind == KeyKind::Escape) state.filter.clear();
  if (key.kind == KeyKind::Escape || key.kind == KeyKind::Enter) state.typing = false;
  state.first = 0;
}

void sortNext(std::size_t step, TopState& state) {
  const auto& all = sortings();
  const auto now = static_cast<std::size_t>(std::ranges::find(all, state.sort) - all.begin());
  state.sort = all[(now + step) % all.size()];
}

void scroll(KeyKind key, std::size_t rows, std::size_t page, std::size_t& first) {
  const std::size_t last = rows > page ? rows - page : 0;
  if (key == KeyKind::Up) first -= std::min<std::size_t>(first, 1);
  if (key == KeyKind::PageUp) first -= std::min(first, page);
  if (key == KeyKind::Down) first += 1;
  if (key == KeyKind::PageDown) first += page;
  if (key == KeyKind::Home) first = 0;
  if (key == KeyKind::End) first = last;
  first = std::min(first, last);
}

}  // namespace

bool pressKey(const Key& key, std::size_t rows, std::size_t page, TopState& state) {
  if (state.typing) {
    typeFilter(key, state);
    return true;
  }
  if (std::exchange(state.help, key.is("?") && !state.help)) return !key.is("q");
  if (key.is("c")) state.commands = !state.commands;
  if (key.is("p") || key.is(" ")) state.paused = !state.paused;
  if (key.is("s")) sortNext(1, state);
  if (key.is("S")) sortNext(sortings().size() - 1, state);
  if (key.is("/")) state.typing = true;
  if (key.kind == KeyKind::Escape) state.filter.clear();
  scroll(key.kind, rows, page, state.first);
  return !key.is("q") && !key.is("Q");
}

}  // namespace faultline
