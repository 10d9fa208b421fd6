// The claims that each experiment of the lab must meet on any sane machine. Wide margins; absolute times are never
// checked.
#pragma once

#include <string>
#include <vector>

#include "core/lab/report.h"

namespace faultline {

enum class LabVerdict : std::uint8_t { Held, NotHeld, NotMeasured };

struct LabCheck {
  std::string claim{};  // "first touch / touch again >= 10"
  std::string value{};  // as measured; empty if it was not
  LabVerdict verdict = LabVerdict::NotMeasured;
  bool ofCounts = false;  // the claim is about counts, which no other program disturbs

  bool operator==(const LabCheck&) const = default;
};

[[nodiscard]] std::vector<LabCheck> labChecks(const LabReport& report);
// Sentences with figures that follow from the rows.
[[nodiscard]] std::vector<std::string> labDerived(const LabReport& report);
[[nodiscard]] std::string_view labVerdictText(LabVerdict verdict);  // "held", "NOT HELD", "not measured"

}  // namespace faultline
