#include "app/tray/plots/calm_scale.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

constexpr Nanoseconds kPatience = std::chrono::seconds(4);
constexpr double kHeadroom = 1.05;

}  // namespace

double roundUp(double value, Rounding rounding) {
  if (!(value > 0)) return 0;
  if (rounding == Rounding::Binary) return std::exp2(std::ceil(std::log2(value)));
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0})
    if ((rounding == Rounding::Fine || std::exp2(std::floor(std::log2(step))) == step) &&
        value <= step * decade * (1 + 1e-12))
      return step * decade;
  return 10 * decade;
}

double CalmScale::update(double highest, Nanoseconds now) {
  const double wanted = std::max(roundUp(highest * kHeadroom, m_rounding), m_least);
  if (now < m_lastHigh) m_top = wanted;  // time went back: another stream
  if (wanted * 2 > m_top) m_lastHigh = now;
  if (wanted > m_top || now - m_lastHigh > kPatience) m_top = wanted;
  return m_top;
}

}  // namespace faultline
