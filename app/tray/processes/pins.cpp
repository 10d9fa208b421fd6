#include "app/tray/processes/pins.h"

#include <algorithm>

#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

std::size_t freeColour(const std::vector<Pin>& pins) {
  const std::size_t colours = std::tuple_size_v<decltype(Theme::pins)>;
  for (std::size_t c = 0; c < colours; ++c)
    if (std::none_of(pins.begin(), pins.end(), [&](const Pin& p) { return p.colour == c; })) return c;
  return pins.size() % colours;
}

}  // namespace

std::optional<std::size_t> Pins::colour(const ProcessKey& key) const {
  const auto pin = std::find_if(m_pins.begin(), m_pins.end(), [&](const Pin& p) { return p.key == key; });
  return pin == m_pins.end() ? std::nullopt : std::optional(pin->colour);
}

void Pins::toggle(const ProcessKey& key) {
  if (std::erase_if(m_pins, [&](const Pin& p) { return p.key == key; }) == 0)
    m_pins.push_back({key, freeColour(m_pins)});
  Q_EMIT changed();
}

void Pins::set(const std::vector<ProcessKey>& keys) {
  std::erase_if(m_pins, [&](const Pin& p) { return std::find(keys.begin(), keys.end(), p.key) == keys.end(); });
  for (const ProcessKey& key : keys)
    if (!colour(key)) m_pins.push_back({key, freeColour(m_pins)});
  Q_EMIT changed();
}

}  // namespace faultline
