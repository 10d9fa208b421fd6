// Paints the tray icon: the last minute's fault rate as a silhouette. Pure: the same state and size give the same
// pixels.
#pragma once

#include <QColor>
#include <QIcon>
#include <QImage>
#include <array>
#include <cstdint>

#include "core/history/history.h"

namespace faultline {

enum class IconMode : std::uint8_t {
  Live,
  Hollow,  // paused, or not measuring this machine: an outline and a pause sign
  Struck,  // the collector is lost
};

// One slot is two seconds, oldest first; heights are shares of the icon, 0 to 1.
inline constexpr std::size_t kIconSlots = 30;
inline constexpr Nanoseconds kIconSlot = std::chrono::seconds(2);

struct IconState {
  IconMode mode = IconMode::Hollow;
  std::array<float, kIconSlots> heights{};
  bool spike = false;      // a vermilion diamond over the oldest seconds, so that the newest stay visible
  bool recording = false;  // a red disc below the diamond
  QColor ink = Qt::black;
  QColor halo;  // invalid: none

  bool operator==(const IconState&) const = default;
};

// The minute that ends at `now`. Slots are at multiples of kIconSlot, so that the picture moves only when a slot is
// full. Heights are square roots of rates, so that a burst does not flatten usual rates.
[[nodiscard]] std::array<float, kIconSlots> iconHeights(const std::vector<Bucket>& faultRates, MonotonicTime now);

// `size` in device-independent pixels.
[[nodiscard]] QImage paintIcon(const IconState& state, int size, qreal devicePixelRatio);

// Painted anew at each size, outside of QPixmapCache, which would grow with every change.
[[nodiscard]] QIcon makeIcon(const IconState& state);

}  // namespace faultline
