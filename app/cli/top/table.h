// The table of processes as lines of text. Makes no system call.
#pragma once

#include <string>
#include <vector>

#include "app/cli/text/paint.h"
#include "app/cli/top/process_order.h"

namespace faultline {

// Header and rows are exactly `columns` wide. Columns whose metric is unavailable are omitted, and the least important
// columns where the width does not suffice.
class TopTable {
 public:
  TopTable(const Monitor& monitor, const Moment& moment, int columns, const Paint& paint);

  [[nodiscard]] std::string header(SortBy sort) const;
  [[nodiscard]] std::string row(const ProcessRow& row) const;

 private:
  enum class Column : std::uint8_t {
    Pid,
    Name,
    Minor,
    Major,
    Peak,
    FaultTime,
    Zeroed,
    Spark,
    Commit,
    Resident,
    MinorTotal,
    MajorTotal,
    FaultTimeTotal,
  };
  struct Place {
    Column column;
    const char* title;
    int width;
    int importance;  // the lowest is omitted first
  };
  static const std::vector<Place>& allPlaces();
  [[nodiscard]] std::string cell(Column column, const ProcessRow& row, int width) const;
  [[nodiscard]] bool measured(Column column) const;
  [[nodiscard]] std::optional<std::uint64_t> perSecond(const ProcessRow& row, ProcessMetric metric) const;
  [[nodiscard]] std::string rateCell(const ProcessRow& row, ProcessMetric metric, int width) const;
  [[nodiscard]] bool spiking(const ProcessRow& row, ProcessMetric metric) const;
  [[nodiscard]] bool spiking(const ProcessRow& row) const;

  const Monitor& m_monitor;
  const Moment& m_moment;
  const Paint& m_paint;
  std::vector<Place> m_places;
};

}  // namespace faultline
