// CalibrationCheck: compares a calibration with the measured time of faults, in passing.
#pragma once

#include <cstdint>
#include <optional>

#include "core/history/rates.h"

namespace faultline {

// Takes only the faults of processes that did hardly anything but touch new small pages: the calibration measures
// these.
class CalibrationCheck {
 public:
  explicit CalibrationCheck(double nsPerFault) : m_nsPerFault(nsPerFault) {}

  void add(const Moment& moment, std::uint64_t pageBytes);
  // Measured time on a processor / calibration; absent while too few such faults were measured.
  [[nodiscard]] std::optional<double> ratio() const;
  // By more than a quarter.
  [[nodiscard]] bool disagrees() const;

 private:
  double m_nsPerFault;
  double m_faults = 0;  // newer ones weigh more
  double m_ns = 0;
};

}  // namespace faultline
