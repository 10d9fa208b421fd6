#include "platform/sampling/synthetic/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace faultline {
namespace {

constexpr Nanoseconds kSecond = std::chrono::seconds(1);

double seconds(Nanoseconds t) {
  return std::chrono::duration<double>(t).count();
}

// floor(amount * part / whole) without overflow for amounts below 2^32.
std::uint64_t share(std::uint64_t amount, Nanoseconds part, Nanoseconds whole) {
  const auto millionths = static_cast<std::uint64_t>(part / (whole / 1'000'000));
  return amount * std::min<std::uint64_t>(millionths, 1'000'000) / 1'000'000;
}

}  // namespace

std::uint64_t steadyCount(std::uint64_t perSecond, Nanoseconds t) {
  const auto whole = static_cast<std::uint64_t>(t / kSecond);
  const auto rest = static_cast<std::uint64_t>((t % kSecond).count());
  return perSecond * whole + perSecond * rest / static_cast<std::uint64_t>(kSecond.count());
}

std::uint64_t sineCount(std::uint64_t low, std::uint64_t high, Nanoseconds period, Nanoseconds t) {
  // Integral of low + (high - low) * (1 - cos(2 pi t / T)) / 2, whole periods separately, to stay exact for years.
  const auto swing = static_cast<double>(high - low);
  const double angle = 2 * std::numbers::pi * seconds(t % period) / seconds(period);
  const double inPeriod =
      swing / 2 * (seconds(t % period) - std::sin(angle) * seconds(period) / (2 * std::numbers::pi));
  const double perPeriod = swing / 2 * seconds(period);
  const double wholePeriods = static_cast<double>(t / period) * perPeriod;
  return steadyCount(low, t) + static_cast<std::uint64_t>(std::max(0.0, wholePeriods + inPeriod));
}

std::uint64_t stepCount(std::uint64_t low, std::uint64_t high, Nanoseconds period, Nanoseconds t) {
  const Nanoseconds half = period / 2;
  const Nanoseconds above = (t / period) * (period - half) + std::max(t % period - half, Nanoseconds(0));
  return steadyCount(low, t) + steadyCount(high - low, above);
}

std::uint64_t burstCount(std::uint64_t amount, Nanoseconds length, Nanoseconds period, Nanoseconds t) {
  const auto bursts = static_cast<std::uint64_t>(t / period);
  return bursts * amount + share(amount, std::min(t % period, length), length);
}

}  // namespace faultline
