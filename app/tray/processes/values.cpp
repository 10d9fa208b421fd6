#include "app/tray/processes/values.h"

namespace faultline {
namespace {

template <class T>
std::optional<double> number(const std::optional<T>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

}  // namespace

void fillFromNow(ProcessEntry& entry, const ProcessRow& row, const Monitor& monitor) {
  const Moment& now = monitor.shown();
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    if (info.kind == ColumnKind::Rate) entry.values[c] = now.perSecond(row.deltas.get(info.metric));
    if (info.kind == ColumnKind::Value) entry.values[c] = number(row.values.get(info.metric));
  }
  for (std::size_t part = 0; part < entry.faultParts.size(); ++part)
    entry.faultParts[part] = now.perSecond(row.deltas.get(kFaultParts[part]));
  if (row.values.has(ProcessMetric::MinorFaults)) entry.values[at(Column::Peak)] = monitor.peak(row.key);
  if (entry.values[at(Column::MinorRate)].value_or(0) > 0) entry.lastFault = now.time;
  if (entry.lastFault > now.time) entry.lastFault = {};  // a new stream began, with earlier times
  entry.presence = row.exited ? Presence::Ended : Presence::Running;
  entry.seen = now.time;
  entry.last = entry.values;
}

void fillFromHistory(ProcessEntry& entry, const History& history, MonotonicTime time) {
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    entry.values[c] = info.kept() ? number(history.at(entry.key, info.metric, time)) : std::nullopt;
  }
  entry.faultParts = {};
}

void fillEnded(ProcessEntry& entry) {
  entry.values = entry.last;
  for (std::size_t c = 0; c < kColumnCount; ++c)
    if (columnInfo(static_cast<Column>(c)).kind == ColumnKind::Rate) entry.values[c].reset();
  entry.faultParts = {};
  entry.presence = Presence::Ended;
}

}  // namespace faultline
