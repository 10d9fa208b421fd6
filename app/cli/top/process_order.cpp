#include "app/cli/top/process_order.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "app/cli/stream/moment_writer.h"

namespace faultline {
namespace {

struct Ranked {
  double value;
  double peak;
  double resident;
  const ProcessRow* row;
};

// Unavailable values are -1 and sort after zero.
double level(const ProcessRow& row, ProcessMetric metric) {
  const auto value = row.values.get(metric);
  return value ? static_cast<double>(*value) : -1;
}

double rate(const Moment& moment, const ProcessRow& row, ProcessMetric metric) {
  return moment.perSecond(row.deltas.get(metric)).value_or(-1);
}

double sortValue(const Moment& moment, const ProcessRow& row, SortBy sort, double peak) {
  switch (sort) {
    case SortBy::Minor:
      return rate(moment, row, ProcessMetric::MinorFaults);
    case SortBy::Major:
      return rate(moment, row, ProcessMetric::MajorFaults);
    case SortBy::Peak:
      return peak;
    case SortBy::Commit:
      return level(row, ProcessMetric::CommitBytes);
    case SortBy::Resident:
      return level(row, ProcessMetric::ResidentBytes);
    case SortBy::FaultTime:
      return rate(moment, row, ProcessMetric::FaultTime);
    case SortBy::Zeroed:
      return rate(moment, row, ProcessMetric::ZeroedBytes);
    case SortBy::Name:
      break;
  }
  return 0;
}

bool passes(const ProcessRow& row, std::string_view filter) {
  return containsIgnoringCase(row.name, filter) || std::to_string(row.key.pid).starts_with(filter);
}

bool before(const Ranked& a, const Ranked& b) {
  return std::tuple(-a.value, -a.peak, -a.resident, a.row->key) <
         std::tuple(-b.value, -b.peak, -b.resident, b.row->key);
}

bool beforeByName(const Ranked& a, const Ranked& b) {
  return std::tie(a.row->name, a.row->key) < std::tie(b.row->name, b.row->key);
}

}  // namespace

std::string_view sortName(SortBy sort) {
  static constexpr std::array<std::string_view, kSortByCount> kNames{"minor",    "major",      "peak",   "commit",
                                                                     "resident", "fault-time", "zeroed", "name"};
  return kNames[static_cast<std::size_t>(sort)];
}

std::vector<const ProcessRow*> orderedRows(const Monitor& monitor, const Moment& moment, SortBy sort,
                                           std::string_view filter) {
  std::vector<Ranked> ranked;
  ranked.reserve(moment.rows.size());
  for (const ProcessRow& row : moment.rows) {
    if (!passes(row, filter)) continue;
    const double peak = monitor.peak(row.key);
    ranked.push_back({sortValue(moment, row, sort, peak), peak, level(row, ProcessMetric::ResidentBytes), &row});
  }
  std::ranges::sort(ranked, sort == SortBy::Name ? beforeByName : before);
  std::vector<const ProcessRow*> rows;
  rows.reserve(ranked.size());
  for (const Ranked& each : ranked) rows.push_back(each.row);
  return rows;
}

}  // namespace faultline
