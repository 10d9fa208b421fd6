#include "app/tray/processes/columns.h"

#include <algorithm>
#include <array>

namespace faultline {
namespace {

using enum ColumnKind;

using Columns = std::array<ColumnInfo, kColumnCount>;

// Who it is, what memory costs it, and why; the others are in the header's menu.
constexpr std::array kAtFirst{Column::Mark,      Column::Process,    Column::Pid,    Column::FaultTimeRate,
                              Column::MinorRate, Column::ZeroedRate, Column::Commit, Column::LastMinute};

constexpr std::string_view kPerSecond =
    "Per second: live an average of about 5 s, so that rows keep their places; in the past that of one sample.";

void addOwn(Columns& columns) {
  const auto own = [&](Column column) -> ColumnInfo& { return columns[at(column)]; };
  own(Column::Mark) = {
      .note =
          "A coloured star marks a pinned process: a line of that colour in every plot, and a place at "
          "the top. Double click or Enter pins.",
      .widest = "★"};
  own(Column::Process) = {
      .title = "process",
      .note =
          "The name that the kernel keeps: on Linux at most 15 bytes. A longer one is completed from "
          "the command line.",
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
                         .widest = "MMMMMMMMMM (4194304)"};
  own(Column::User) = {.title = "user", .note = "The user that the process runs as.", .widest = "MMMMMMMM"};
  own(Column::Service) = {
      .title = "service",
      .note =
          "The unit of systemd, or the container, that the process runs in, by its control group; on "
          "Windows the services that it or its nearest ancestor hosts. unit:NAME in the filter shows the processes of "
          "one.",
      .widest = "MMMMMMMMMMMMMM"};
  own(Column::Command) = {
      .title = "command line", .note = "The program with its arguments.", .widest = "MMMMMMMMMMMMMMMMMMMMMMMM"};
}

}  // namespace

const ColumnInfo& columnInfo(Column column) {
  static const Columns kColumns = [] {
    Columns columns;
    addOwn(columns);
    const auto add = [&](const MetricColumn& from, ColumnKind kind, ProcessMetric metric, std::string_view note) {
      if (!from.title.empty()) columns.at(from.id) = {from.title, kind, metric, note, from.widest};
    };
    for (const auto& row : kProcessFields) {
      add(row.rate, Rate, row.metric, kPerSecond);
      add(row.level, Value, row.metric, row.level.note);
    }
    for (const Column column : kAtFirst) columns[at(column)].shown = true;
    return columns;
  }();
  return kColumns.at(at(column));
}

const std::vector<Column>& columnOrder() {
  static const std::vector<Column> kOrder = [] {
    std::vector<Column> order(kAtFirst.begin(), kAtFirst.end());
    const auto add = [&](Column column) {
      if (std::ranges::find(kAtFirst, column) == kAtFirst.end()) order.push_back(column);
    };
    for (const auto& row : kProcessFields) {
      if (!row.rate.title.empty()) add(static_cast<Column>(row.rate.id));
      if (row.metric == ProcessMetric::MajorFaults) add(Column::Peak);
    }
    for (const MetricKind kind : {MetricKind::Counter, MetricKind::Gauge})
      for (const auto& row : kProcessFields)
        if (row.kind == kind && !row.level.title.empty()) add(static_cast<Column>(row.level.id));
    for (const Column column : {Column::Parent, Column::User, Column::Service, Column::Command}) add(column);
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
