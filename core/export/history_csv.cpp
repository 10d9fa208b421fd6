#include "core/export/history_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/export/columns.h"
#include "core/export/csv.h"
#include "core/model/metric.h"
#include "core/text/iso_time.h"
#include "core/text/number.h"
#include "core/text/table.h"

namespace faultline {
namespace {

// A counter has its difference, mean rate and highest rate; a gauge has its mean and highest level.
enum class Part : std::uint8_t { Sum, Mean, Peak };

struct Column {
  ProcessMetric metric;
  Part part;

  bool operator==(const Column&) const = default;
};

// The columns of older versions keep their places; the other columns of the field table follow.
constexpr std::array kFirstColumns{
    Column{ProcessMetric::MinorFaults, Part::Mean}, Column{ProcessMetric::MinorFaults, Part::Peak},
    Column{ProcessMetric::MajorFaults, Part::Mean}, Column{ProcessMetric::ZeroedBytes, Part::Mean},
    Column{ProcessMetric::CommitBytes, Part::Mean}, Column{ProcessMetric::ResidentBytes, Part::Mean}};
constexpr std::array kSecondColumns{
    Column{ProcessMetric::MinorFaults, Part::Sum},     Column{ProcessMetric::MajorFaults, Part::Sum},
    Column{ProcessMetric::ZeroedBytes, Part::Sum},     Column{ProcessMetric::ZeroingTime, Part::Sum},
    Column{ProcessMetric::FaultTime, Part::Sum},       Column{ProcessMetric::MajorFaultTime, Part::Sum},
    Column{ProcessMetric::MajorFaults, Part::Peak},    Column{ProcessMetric::ZeroedBytes, Part::Peak},
    Column{ProcessMetric::ZeroingTime, Part::Mean},    Column{ProcessMetric::ZeroingTime, Part::Peak},
    Column{ProcessMetric::FaultTime, Part::Mean},      Column{ProcessMetric::FaultTime, Part::Peak},
    Column{ProcessMetric::MajorFaultTime, Part::Mean}, Column{ProcessMetric::MajorFaultTime, Part::Peak},
    Column{ProcessMetric::CommitBytes, Part::Peak},    Column{ProcessMetric::ResidentBytes, Part::Peak}};

bool counts(ProcessMetric metric) {
  return field(metric).kind == MetricKind::Counter;
}

const std::vector<Column>& secondColumns() {
  static const std::vector<Column> kColumns = [] {
    std::vector<Column> columns(kSecondColumns.begin(), kSecondColumns.end());
    const auto add = [&](const Column& column) {
      if (std::ranges::find(kFirstColumns, column) == kFirstColumns.end() &&
          std::ranges::find(columns, column) == columns.end())
        columns.push_back(column);
    };
    for (const ProcessMetric metric : allProcessMetrics()) {
      if (!field(metric).kept) continue;
      if (counts(metric)) add({metric, Part::Sum});
      add({metric, Part::Mean});
      add({metric, Part::Peak});
    }
    return columns;
  }();
  return kColumns;
}

std::string nameOf(const Column& column) {
  const std::string name(field(column.metric).name);
  if (column.part == Part::Sum) return name;
  const std::string mean = counts(column.metric) ? rateName(name) : name;
  return column.part == Part::Mean ? mean : mean + "_peak";
}

void appendWhole(double value, std::string& out) {
  appendNumber(static_cast<std::uint64_t>(std::llround(value)), out);
}

// Undoes rounding, because history keeps rates to 24 bits: counts are whole numbers, and memory is cleared in multiples
// of 4 KiB, so a multiple within that precision is the exact difference.
double difference(const SeriesPart& rate, Unit unit) {
  constexpr double kPage = 4096;
  constexpr double kPrecision = 0x1p-22;
  const double sum = double{rate.mean} * static_cast<double>(rate.known.count()) / 1e9;
  const double pages = std::round(sum / kPage) * kPage;
  return unit == Unit::Bytes && std::abs(sum - pages) <= sum * kPrecision ? pages : sum;
}

void appendPart(const Stretch& stretch, const Column& column, std::string& out) {
  out += ',';
  const auto& known = stretch.of(column.metric);
  if (!known) return;
  const float value = column.part == Part::Peak ? known->max : known->mean;
  if (column.part == Part::Sum) appendWhole(difference(*known, field(column.metric).unit), out);
  else if (!counts(column.metric)) appendWhole(value, out);
  else if (known->rated) appendNumber(value, out);
}

void appendRow(const History& history, const ProcessKey& key, const std::string& name, const Stretch& stretch,
               std::string& out) {
  out += isoTime(history.wall(stretch.start));
  for (const std::int64_t number : {stretch.start.sinceEpoch.count(), (stretch.end - stretch.start).count(),
                                    Nanoseconds::rep{key.pid}, static_cast<Nanoseconds::rep>(key.startTime)}) {
    out += ',';
    appendNumber(number, out);
  }
  out += ',' + name;
  for (const Column& column : kFirstColumns) appendPart(stretch, column, out);
  out += ',';
  appendNumber(std::int64_t{stretch.interval.count()}, out);
  out += ',';
  appendNumber(std::uint64_t{stretch.samples}, out);
  out += stretch.gapBefore ? ",1" : ",0";
  for (const Column& column : secondColumns()) appendPart(stretch, column, out);
  out += "\r\n";
}

}  // namespace

std::string historyCsvHeader() {
  std::string header = "wall_time,monotonic_ns,duration_ns,pid,start_time,name";
  for (const Column& column : kFirstColumns) header += ',' + nameOf(column);
  header += ",interval_ns,samples,gap";
  for (const Column& column : secondColumns()) header += ',' + nameOf(column);
  return header + "\r\n";
}

void appendHistoryCsv(const ProcessRange& range, std::string& out) {
  const History& history = range.history;
  const std::string name = csvField(csvName(history.name(range.key).value_or("")));
  for (const Stretch& stretch : history.stretches(range.key, range.from, range.to))
    appendRow(history, range.key, name, stretch, out);
}

void appendHistoryCsv(const History& history, MonotonicTime from, MonotonicTime to, std::string& out) {
  for (const ProcessKey& key : history.aliveBetween(from, to)) appendHistoryCsv({history, key, from, to}, out);
}

}  // namespace faultline
