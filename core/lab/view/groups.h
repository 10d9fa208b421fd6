// The rows of a report that belong into one chart: the ways of one phase, or, in a report with more phases than ways,
// the phases of one way.
#pragma once

#include <string>
#include <vector>

#include "core/lab/report.h"

namespace faultline {

struct LabGroup {
  std::string name{};  // "touch"
  std::string unit{};  // of all its rows, whose times are given for one unit; empty: for all the work of a repetition
  bool ofWay = false;  // the rows differ in their phase, else in their way
  std::vector<std::size_t> rows{};  // places in the report, all with samples

  bool operator==(const LabGroup&) const = default;
};

// In the order of the report.
[[nodiscard]] std::vector<LabGroup> labGroups(const LabReport& report);
[[nodiscard]] std::string labGroupTitle(const LabGroup& group);  // "touch, per MiB"

}  // namespace faultline
