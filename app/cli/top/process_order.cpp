#include "app/cli/top/process_order.h"

#include <algorithm>
#include <tuple>

#include "app/cli/stream/moment_filter.h"

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
  if (sort.column == SortBy::Column::Peak) return peak;
  if (sort.column == SortBy::Column::Name) return 0;
  return field(sort.metric).rate.sort.empty() ? level(row, sort.metric) : rate(moment, row, sort.metric);
}

bool passes(const ProcessRow& row, std::string_view filter) {
  return isNamed(row, filter) || std::to_string(row.key.pid).starts_with(filter);
}

bool before(const Ranked& a, const Ranked& b) {
  return std::tuple(-a.value, -a.peak, -a.resident, a.row->key) <
         std::tuple(-b.value, -b.peak, -b.resident, b.row->key);
}

bool beforeByName(const Ranked& a, const Ranked& b) {
  return std::tie(a.row->name, a.row->key) < std::tie(b.row->name, b.row->key);
}

}  // namespace

const std::vector<SortBy>& sortings() {
  static const std::vector<SortBy> kSortings = [] {
    std::vector<SortBy> all;
    for (const auto& row : kProcessFields) {
      if (!sortName({.metric = row.metric}).empty()) all.push_back({.metric = row.metric});
      if (row.metric == ProcessMetric::MajorFaults) all.push_back({SortBy::Column::Peak});
    }
    all.push_back({SortBy::Column::Name});
    return all;
  }();
  return kSortings;
}

std::string_view sortName(SortBy sort) {
  if (sort.column == SortBy::Column::Peak) return "peak";
  if (sort.column == SortBy::Column::Name) return "name";
  const auto& row = field(sort.metric);
  return row.rate.sort.empty() ? row.level.sort : row.rate.sort;
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
  std::ranges::sort(ranked, sort.column == SortBy::Column::Name ? beforeByName : before);
  std::vector<const ProcessRow*> rows;
  rows.reserve(ranked.size());
  for (const Ranked& each : ranked) rows.push_back(each.row);
  return rows;
}

}  // namespace faultline
