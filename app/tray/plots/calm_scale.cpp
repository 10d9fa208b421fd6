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
  const double power = std::floor(std::log10(value));
  const double ten = std::pow(10.0, std::abs(power));
  const auto inDecade = [&](double step) { return power < 0 ? step / ten : step * ten; };  // to the last digit
  for (const double step : {1.0, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0})
    if ((rounding == Rounding::Fine || std::exp2(std::floor(std::log2(step))) == step) &&
        value <= inDecade(step) * (1 + 1e-12))
      return inDecade(step);
  return inDecade(10);
}

double CalmScale::update(double highest, Nanoseconds now) {
  const double wanted = std::max(roundUp(highest * kHeadroom, m_rounding), m_least);
  if (now < m_lastHigh) m_top = wanted;  // time went back: another stream
  if (wanted * 2 > m_top) m_lastHigh = now;
  if (wanted > m_top || now - m_lastHigh > kPatience) m_top = wanted;
  return m_top;
}

}  // namespace faultline
