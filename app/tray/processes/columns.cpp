#include "app/tray/processes/columns.h"

#include <array>

namespace faultline {
namespace {

using enum ColumnKind;

using Columns = std::array<ColumnInfo, kColumnCount>;

constexpr std::string_view kPerSecond =
    "Per second: live the average over some seconds, so that rows keep their places; in the past that of one sample.";

void addOwn(Columns& columns) {
  const auto own = [&](Column column) -> ColumnInfo& { return columns[at(column)]; };
  own(Column::Mark) = {
      .note =
          "A coloured star marks a pinned process: a line of that colour in every plot, and a place at "
          "the top. Double click or Enter pins.",
      .widest = "★"};
  own(Column::Process) = {.title = "process",
                          .note = "The name that the kernel keeps: on Linux at most 15 bytes.",
                          .widest = "MMMMMMMMMMMMMMM"};
  own(Column::Pid) = {.title = "pid", .note = "The id of the process.", .widest = "4194304"};
  own(Column::LastMinute) = {.title = "last minute",
                             .note =
                                 "Minor faults per second over the last minute, each row on its own scale. A dot is a "
                                 "spike that repeats no habit.",
                             .widest = "MMMMMMMMMMM"};
  own(Column::Peak) = {.title = "peak/s",
                       .kind = Peak,
                       .note = "The highest rate since Faultline first saw the process.",
                       .widest = "000.0 k"};
  own(Column::Parent) = {.title = "parent",
                         .note = "The process that started this process, while it lives.",
                         .widest = "MMMMMMMMMM (4194304)",
                         .shown = false};
  own(Column::User) = {
      .title = "user", .note = "The user that the process runs as.", .widest = "MMMMMMMM", .shown = false};
  own(Column::Command) = {.title = "command line",
                          .note = "The program with its arguments.",
                          .widest = "MMMMMMMMMMMMMMMMMMMMMMMM",
                          .shown = false};
}

}  // namespace

const ColumnInfo& columnInfo(Column column) {
  static const Columns kColumns = [] {
    Columns columns;
    addOwn(columns);
    const auto add = [&](const MetricColumn& from, ColumnKind kind, ProcessMetric metric, std::string_view note) {
      if (!from.title.empty()) columns.at(from.id) = {from.title, kind, metric, note, from.widest, from.shown};
    };
    for (const auto& row : kProcessFields) {
      add(row.rate, Rate, row.metric, kPerSecond);
      add(row.level, Value, row.metric, row.level.note);
    }
    return columns;
  }();
  return kColumns.at(at(column));
}

const std::vector<Column>& columnOrder() {
  static const std::vector<Column> kOrder = [] {
    std::vector<Column> order{Column::Mark, Column::Process, Column::Pid};
    for (const auto& row : kProcessFields) {
      if (!row.rate.title.empty()) order.push_back(static_cast<Column>(row.rate.id));
      if (row.metric == ProcessMetric::MinorFaults) order.push_back(Column::LastMinute);
      if (row.metric == ProcessMetric::MajorFaults) order.push_back(Column::Peak);
    }
    for (const MetricKind kind : {MetricKind::Counter, MetricKind::Gauge})
      for (const auto& row : kProcessFields)
        if (row.kind == kind && !row.level.title.empty()) order.push_back(static_cast<Column>(row.level.id));
    order.insert(order.end(), {Column::Parent, Column::User, Column::Command});
    return order;
  }();
  return kOrder;
}

Qt::Alignment columnAlignment(Column column) {
  if (column == Column::Mark) return Qt::AlignCenter;
  const bool text = columnInfo(column).kind == Text && column != Column::Pid;
  return (text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

QString columnMeaning(Column column) {
  const ColumnInfo& info = columnInfo(column);
  const QString own = QString::fromUtf8(info.note);
  if (info.kind == Text) return own;
  const QString shared = QString::fromUtf8(field(info.metric).meaning);
  return own.isEmpty() ? shared : shared + u' ' + own;
}

QVariant columnHeader(Column column, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromUtf8(columnInfo(column).title);
    case Qt::ToolTipRole:
      return columnMeaning(column);
    case Qt::TextAlignmentRole:
      return QVariant(columnAlignment(column));
    case Qt::InitialSortOrderRole:  // the first click on numbers shows the largest
      return columnAlignment(column) & Qt::AlignRight && column != Column::Pid ? Qt::DescendingOrder
                                                                               : Qt::AscendingOrder;
    default:
      return {};
  }
}

}  // namespace faultline
