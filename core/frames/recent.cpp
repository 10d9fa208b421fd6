#include "core/frames/recent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace faultline {
namespace {

// Decided: between the shares that kNearShare names.
constexpr double kMostFrames = 0.6;
// Decided: ns; no display is that fast, and nobody sees fractions of a millisecond.
constexpr double kShortestSlot = 1.5e6;
// Known: of displays and films, per second.
constexpr std::array kCommonRates{24.0, 25.0, 30.0, 35.0,  40.0,  48.0,  50.0,  60.0,
                                  72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 165.0, 240.0};

bool isCommonRate(double period) {
  const double rate = 1e9 / period;
  return std::ranges::any_of(kCommonRates,
                             [&](double common) { return std::abs(rate - common) < kNotableShare * common; });
}

}  // namespace

double Recent::ranked(std::size_t place) const {
  auto values = m_values;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), at, values.begin() + static_cast<std::ptrdiff_t>(size()));
  return *at;
}

std::optional<double> Recent::usual() const {
  return m_count < kMinValues ? std::nullopt : std::optional(ranked(size() / 2));
}

bool Recent::standsOut(double value, double times, double by) const {
  if (value <= by) return false;  // no value is negative
  const auto base = usual();
  return base && value > times * *base && value - *base > by;
}

double Recent::growth(double value) const {
  return std::max(value - usual().value_or(0), 0.0);
}

double Recent::most() const {
  return *std::ranges::max_element(m_values);
}

double Recent::shareOnGrid(double step, double share) const {
  const auto near = std::ranges::count_if(std::span(m_values).first(size()), [&](double value) {
    return std::abs(value - std::max(std::round(value / step), 1.0) * step) <= share * step;
  });
  return m_count == 0 ? 0 : static_cast<double>(near) / static_cast<double>(size());
}

// On a busy machine many frames may miss their slots: then the shorter ones tell the slot's length. At a common rate
// the thread of the game that wakes the frame's may have waited for the display, as those of Vulkan's libraries do. At
// any other a loop that runs free waits for the display's server, too, and so its frames must keep the slots closely;
// so must those whose sleep is unknown, as a game that runs free may have a common rate by chance.
std::optional<double> cadenceOf(const Recent& durations, double usual, const UsualSleep& sleep) {
  for (const double slot : {usual, durations.seldomLess()}) {
    if (slot < kShortestSlot) continue;
    const bool common = isCommonRate(slot);
    const double waits = common ? sleep.all.value_or(slot) : sleep.forNobody.value_or(0);
    const double near = common && sleep.all ? kNearShare : kNotableShare;
    if (waits > kNotableShare * slot && durations.shareOnGrid(slot, near) >= kMostFrames)
      return slot * std::max(std::round(usual / slot), 1.0);
  }
  return std::nullopt;
}

}  // namespace faultline
