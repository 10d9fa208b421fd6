// The table of processes as lines of text. Makes no system call.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/text/paint.h"
#include "app/cli/top/process_order.h"

namespace faultline {

// Header and rows are exactly `columns` wide. Columns whose metric is unavailable are omitted, and the least important
// columns where the width does not suffice.
class TopTable {
 public:
  // With `command`, its text stands in place of a name, and has most of the width; where it is empty, the name stays.
  using Command = std::function<std::string(const ProcessRow&)>;
  TopTable(const Monitor& monitor, const Moment& moment, int columns, const Paint& paint, Command command = {});

  [[nodiscard]] std::string header(SortBy sort) const;
  [[nodiscard]] std::string row(const ProcessRow& row) const;

 private:
  enum class Column : std::uint8_t { Pid, Name, Peak, Spark, Rate, Level };
  struct Place {
    Column column;
    std::string_view title;
    int width;
    int importance;                                     // the lowest goes first
    ProcessMetric metric = ProcessMetric::MinorFaults;  // whose rate or level it shows
  };
  static const std::vector<Place>& allPlaces();
  [[nodiscard]] std::string cell(const Place& place, const ProcessRow& row) const;
  [[nodiscard]] bool measured(const Place& place) const;
  [[nodiscard]] std::string rateCell(const ProcessRow& row, const Place& place) const;
  [[nodiscard]] bool spiking(const ProcessRow& row, ProcessMetric metric) const;
  [[nodiscard]] bool spiking(const ProcessRow& row) const;

  const Monitor& m_monitor;
  const Moment& m_moment;
  const Paint& m_paint;
  Command m_command;
  std::vector<Place> m_places;
};

}  // namespace faultline
