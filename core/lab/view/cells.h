// A row of a report as the cells of a table, for the terminal and the window alike.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/lab/report.h"

namespace faultline {

enum class LabColumn : std::uint8_t {
  Way,
  Phase,
  Wall,
  WallSpread,
  Processor,
  ProcessorSpread,
  Each,
  Faults,
  Expected,
  Switched,
  Published,
  Count
};

struct LabColumnInfo {
  std::string_view title;  // of the terminal's table
  std::string_view meaning;
  bool text = false;  // else a number
};

[[nodiscard]] const LabColumnInfo& labColumn(LabColumn column);
// In the order of LabColumn. "–": not measured.
[[nodiscard]] std::array<std::string, static_cast<std::size_t>(LabColumn::Count)> labCells(const LabRow& row);

}  // namespace faultline
