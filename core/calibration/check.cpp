#include "core/calibration/check.h"

#include <cmath>

namespace faultline {
namespace {

constexpr double kEnough = 20'000;   // faults
constexpr double kMost = 2'000'000;  // then older ones count half
constexpr double kMostOthers = 0.1;  // share of a process's faults that may be other ones
constexpr std::uint64_t kFewestFaults = 200;
constexpr double kLeastShare = 0.75;
constexpr double kGreatest = 1.25;

}  // namespace

void CalibrationCheck::add(const Moment& moment, std::uint64_t pageBytes) {
  if (pageBytes == 0) return;
  for (const ProcessRow& row : moment.rows) {
    const auto timed = row.deltas.get(ProcessMetric::TimedFaults);
    const auto time = row.deltas.get(ProcessMetric::FaultTimeOnProcessor);
    const auto zeroed = row.deltas.get(ProcessMetric::ZeroedBytes);
    if (!timed || !time || !zeroed || *timed < kFewestFaults) continue;
    if (row.deltas.get(ProcessMetric::ZeroedLargeBytes).value_or(0) > 0) continue;
    const double pages = static_cast<double>(*zeroed) / static_cast<double>(pageBytes);
    const auto faults = static_cast<double>(*timed);
    if (std::abs(pages - faults) > kMostOthers * faults) continue;
    m_faults += faults;
    m_ns += static_cast<double>(*time);
  }
  if (m_faults < kMost) return;
  m_faults /= 2;
  m_ns /= 2;
}

std::optional<double> CalibrationCheck::ratio() const {
  if (m_faults < kEnough || !(m_nsPerFault > 0)) return std::nullopt;
  return m_ns / m_faults / m_nsPerFault;
}

bool CalibrationCheck::disagrees() const {
  const auto found = ratio();
  return found && (*found < kLeastShare || *found > kGreatest);
}

}  // namespace faultline
