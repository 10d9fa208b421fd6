#include "app/tray/table/csv.h"

#include "core/export/csv.h"

namespace faultline {

std::string csvOf(const Monitor& monitor, const std::vector<ProcessKey>& keys, std::optional<MonotonicTime> instant) {
  std::string csv = csvHeader();
  for (const ProcessKey& key : keys)
    if (instant) appendPastCsvRow(monitor.history(), key, *instant, csv);
    else if (const ProcessRow* row = monitor.shown().find(key)) appendCsvRow(monitor.shown(), *row, csv);
  return csv;
}

}  // namespace faultline
