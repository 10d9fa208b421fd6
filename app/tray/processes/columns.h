// The process table's columns, once: what each shows, of which metric, and how a person reads it.
#pragma once

#include <QString>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/history/history.h"
#include "core/model/metric.h"

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
  FaultTimeRate,
  FaultTimeTotal,
  ZeroingRate,
  ZeroedTotal,
  SampledRate,
  Parent,
  User,
  Command,
};
inline constexpr std::size_t kColumnCount = 22;
// As they stand from left to right before a hand moves them. The enumerators' values are in saved layouts: append only.
[[nodiscard]] const std::array<Column, kColumnCount>& columnOrder();

enum class ColumnKind : std::uint8_t {
  Text,   // mark, name, pid, sparkline: no metric behind it
  Rate,   // a counter's difference per second
  Peak,   // the highest rate since the process was first seen
  Value,  // a counter's total, or a gauge
};

struct ColumnInfo {
  const char16_t* title = nullptr;
  ColumnKind kind = ColumnKind::Text;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // where kind is not Text
  std::optional<Series> series;                       // what History keeps of it
  const char16_t* meaning = nullptr;                  // added to the metric's own meaning in the header's tooltip
  const char* widest = nullptr;                       // decides the column's width
  bool atFirst = true;                                // shown before a hand chooses, if it is measured
};

// Without them it stands empty, and takes no room unless somebody asks for it.
[[nodiscard]] constexpr bool needsCapabilities(const ColumnInfo& info) {
  return info.kind != ColumnKind::Text && info.metric >= ProcessMetric::ZeroedBytes;
}

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
