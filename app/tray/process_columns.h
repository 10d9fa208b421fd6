// The process table's columns, once: what each shows, of which metric, and how a person reads it.
#pragma once

#include <QString>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/model/metric.h"
#include "core/monitor/history.h"

namespace faultline {

enum class Column : std::uint8_t {
  Mark,
  Process,
  Pid,
  MinorRate,
  LastMinute,
  MajorRate,
  Peak,
  MinorTotal,
  MajorTotal,
  ZeroedRate,
  Commit,
  Resident,
  TouchedPrivate,
  Threads,
};
inline constexpr std::size_t kColumnCount = 14;

enum class ColumnKind : std::uint8_t {
  Text,   // mark, name, pid, sparkline: no metric behind it
  Rate,   // a counter's difference per second
  Peak,   // the highest rate since the process was first seen
  Value,  // a counter's total, or a gauge
};

struct ColumnInfo {
  const char16_t* title;
  ColumnKind kind = ColumnKind::Text;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // where kind is not Text
  std::optional<Series> series;                       // what History keeps of it
  const char16_t* meaning;                            // added to the metric's own meaning in the header's tooltip
  const char* widest;                                 // decides the column's width
};

[[nodiscard]] const ColumnInfo& columnInfo(Column column);
[[nodiscard]] QString columnMeaning(Column column);
[[nodiscard]] Qt::Alignment columnAlignment(Column column);

[[nodiscard]] constexpr int columnIndex(Column column) {
  return static_cast<int>(column);
}
[[nodiscard]] constexpr std::size_t at(Column column) {
  return static_cast<std::size_t>(column);
}

}  // namespace faultline
