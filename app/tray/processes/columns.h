// The process table's columns: the table's own, and those that the field table gives metrics.
#pragma once

#include <QString>
#include <QVariant>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/metric.h"

namespace faultline {

// A column of a metric has the id in its row of the field table; those that code speaks of are named here, beside the
// table's own. The values are in saved layouts: never reuse one.
enum class Column : std::uint8_t {
  Mark = 0,
  Process = 1,
  Pid = 2,
  LastMinute = 4,
  Peak = 6,
  Parent = 19,
  User = 20,
  Command = 21,
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
  FaultOnProcessor = field(ProcessMetric::FaultTimeOnProcessor).level.id,
  FaultWaiting = field(ProcessMetric::FaultTimeWaiting).level.id,
  FaultBlocked = field(ProcessMetric::FaultTimeBlocked).level.id,
};
inline constexpr std::size_t kOwnColumns = 8;  // those without a row
inline constexpr std::size_t kColumnCount = [] {
  std::size_t count = kOwnColumns;
  for (const auto& row : kProcessFields) count += (row.rate.title.empty() ? 0 : 1) + (row.level.title.empty() ? 0 : 1);
  return count;
}();
// As they stand from left to right before the user moves them.
[[nodiscard]] const std::vector<Column>& columnOrder();

enum class ColumnKind : std::uint8_t {
  Text,   // mark, name, pid, sparkline: no metric behind it
  Rate,   // a counter's difference per second
  Peak,   // the highest rate since the process was first seen
  Value,  // a counter's total, or a gauge
};

struct ColumnInfo {
  std::string_view title{};
  ColumnKind kind = ColumnKind::Text;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // where kind is not Text
  std::string_view note{};                            // added to the metric's meaning in the header's tooltip
  std::string_view widest{};                          // decides the column's width
  bool shown = true;                                  // before a hand chooses, if it is measured

  // Whether history keeps what the column shows.
  [[nodiscard]] bool kept() const {
    const auto& row = field(metric);
    return row.kept && (kind == ColumnKind::Rate || (kind == ColumnKind::Value && row.kind == MetricKind::Gauge));
  }
};

// Without them it stands empty, and takes no room unless somebody asks for it.
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
