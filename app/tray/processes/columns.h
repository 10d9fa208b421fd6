// The process table's columns: the table's own, and the metrics' columns of the field table.
#pragma once

#include <QString>
#include <QVariant>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/metric.h"

namespace faultline {

// A metric's column has the id of its row in the field table; those that code uses are named here, beside the table's
// own. The values are in saved layouts: never reuse one.
enum class Column : std::uint8_t {
  Mark = 0,
  Process = 1,
  Pid = 2,
  LastMinute = 4,
  Peak = 6,
  Parent = 19,
  User = 20,
  Command = 21,
  Service = 35,
  MinorRate = field(ProcessMetric::MinorFaults).rate.id,
  MajorRate = field(ProcessMetric::MajorFaults).rate.id,
  MinorTotal = field(ProcessMetric::MinorFaults).level.id,
  MajorTotal = field(ProcessMetric::MajorFaults).level.id,
  ZeroedRate = field(ProcessMetric::ZeroedBytes).rate.id,
  Commit = field(ProcessMetric::CommitBytes).level.id,
  Resident = field(ProcessMetric::ResidentBytes).level.id,
  Threads = field(ProcessMetric::Threads).level.id,
  FaultTimeRate = field(ProcessMetric::FaultTime).rate.id,
  FaultTimeTotal = field(ProcessMetric::FaultTime).level.id,
};
inline constexpr std::size_t kOwnColumns = 9;  // without a metric
inline constexpr std::size_t kColumnCount = [] {
  std::size_t count = kOwnColumns;
  for (const auto& row : kProcessFields) count += (row.rate.title.empty() ? 0 : 1) + (row.level.title.empty() ? 0 : 1);
  return count;
}();
// The default order from left to right.
[[nodiscard]] const std::vector<Column>& columnOrder();

enum class ColumnKind : std::uint8_t {
  Text,   // no metric: mark, name, pid, sparkline
  Rate,   // a counter's difference per second
  Peak,   // the highest rate since the process was first seen
  Value,  // a counter's total, or a gauge
};

struct ColumnInfo {
  std::string_view title{};
  ColumnKind kind = ColumnKind::Text;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // if kind is not Text
  std::string_view note{};                            // added to the metric's meaning in the header's tooltip
  std::string_view widest{};                          // decides the column's width
  bool shown = false;                                 // by default, if measured

  // History keeps the column's values.
  [[nodiscard]] bool kept() const {
    const auto& row = field(metric);
    return row.kept && (kind == ColumnKind::Rate || (kind == ColumnKind::Value && row.kind == MetricKind::Gauge));
  }
};

// Without capabilities the column is empty, and hidden unless the user shows it.
[[nodiscard]] constexpr bool needsCapabilities(const ColumnInfo& info) {
  return info.kind != ColumnKind::Text && field(info.metric).needs == Needs::Privilege;
}

[[nodiscard]] const ColumnInfo& columnInfo(Column column);
[[nodiscard]] QVariant columnHeader(Column column, int role);
[[nodiscard]] QString columnMeaning(Column column);
[[nodiscard]] Qt::Alignment columnAlignment(Column column);

[[nodiscard]] constexpr int columnIndex(Column column) {
  return static_cast<int>(column);
}
[[nodiscard]] constexpr std::size_t at(Column column) {
  return static_cast<std::size_t>(column);
}

}  // namespace faultline
