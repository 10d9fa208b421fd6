#include "app/tray/processes/columns.h"

namespace faultline {
namespace {

using enum ColumnKind;

constexpr const char16_t* kPerSecond =
    u"Per second, over the last interval. Sorted by its average over some seconds, so that rows keep still.";

constexpr const char16_t* kSinceWatched = u"Since the collector started, or the process if that was later.";

constexpr const char16_t* kWhileWatched =
    u"Of the faults while somebody looked, since the collector started: others are not timed.";

constexpr std::array<ColumnInfo, kColumnCount> kColumns{{
    {u"",
     Text,
     {},
     {},
     u"A star in its colour marks a pinned process: its own line in every plot, and a place at the "
     u"top. Double click or Enter pins.",
     "★"},
    {u"process", Text, {}, {}, u"The name that the kernel keeps: on Linux at most 15 bytes.", "MMMMMMMMMMMMMMM"},
    {u"pid", Text, {}, {}, u"The process's number.", "4194304"},
    {u"minor/s", Rate, ProcessMetric::MinorFaults, Series::MinorRate, kPerSecond, "000.0 k"},
    {u"last minute",
     Text,
     {},
     {},
     u"Minor faults per second over the last minute, each row on its own scale. A dot "
     u"is a spike.",
     "MMMMMMMMMMM"},
    {u"major/s", Rate, ProcessMetric::MajorFaults, Series::MajorRate, kPerSecond, "000.0 k"},
    {u"peak/s",
     Peak,
     ProcessMetric::MinorFaults,
     {},
     u"The highest rate since Faultline first saw the process.",
     "000.0 k"},
    {u"total minor", Value, ProcessMetric::MinorFaults, {}, u"Since the process started.", "0 000 000 000"},
    {u"total major", Value, ProcessMetric::MajorFaults, {}, u"Since the process started.", "000 000", false},
    {u"zeroed/s", Rate, ProcessMetric::ZeroedBytes, Series::ZeroedRate, kPerSecond, "≈ 0.00 GiB"},
    {u"commit", Value, ProcessMetric::CommitBytes, Series::CommitBytes, u"", "≈ 0.00 GiB"},
    {u"resident", Value, ProcessMetric::ResidentBytes, Series::ResidentBytes, u"", "≈ 0.00 GiB"},
    {u"touched private", Value, ProcessMetric::TouchedPrivateBytes, {}, u"", "≈ 0.00 GiB", false},
    {u"threads", Value, ProcessMetric::Threads, {}, u"", "0 000", false},
    {u"fault time/s", Rate, ProcessMetric::FaultTime, Series::FaultTimeRate, kPerSecond, "000.0 ms"},
    {u"total fault time", Value, ProcessMetric::FaultTime, {}, kWhileWatched, "00 min 00 s"},
    {u"zeroing/s", Rate, ProcessMetric::ZeroingTime, Series::ZeroingTimeRate, kPerSecond, "≈ 00.0 ms", false},
    {u"total zeroed", Value, ProcessMetric::ZeroedBytes, {}, kSinceWatched, "≈ 0.00 GiB", false},
    {u"sampled/s", Rate, ProcessMetric::SampledZeroingTime, Series::SampledZeroingRate, kPerSecond, "≈ 00.0 ms", false},
    {u"parent", Text, {}, {}, u"The process that started this one, while that lives.", "MMMMMMMMMM (4194304)", false},
    {u"user", Text, {}, {}, u"Whose process it is.", "MMMMMMMM", false},
    {u"command line", Text, {}, {}, u"What was started, with its arguments.", "MMMMMMMMMMMMMMMMMMMMMMMM", false},
}};

}  // namespace

const ColumnInfo& columnInfo(Column column) {
  return kColumns.at(at(column));
}

const std::array<Column, kColumnCount>& columnOrder() {
  using enum Column;
  static constexpr std::array<Column, kColumnCount> kOrder{
      Mark,       Process,        Pid,         MinorRate,  LastMinute, MajorRate,      Peak,        FaultTimeRate,
      ZeroedRate, ZeroingRate,    SampledRate, MinorTotal, MajorTotal, FaultTimeTotal, ZeroedTotal, Commit,
      Resident,   TouchedPrivate, Threads,     Parent,     User,       Command};
  return kOrder;
}

Qt::Alignment columnAlignment(Column column) {
  if (column == Column::Mark) return Qt::AlignCenter;
  const bool text = columnInfo(column).kind == Text && column != Column::Pid;
  return (text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

QString columnMeaning(Column column) {
  const ColumnInfo& info = columnInfo(column);
  QString own = QString::fromUtf16(info.meaning);
  if (info.kind == Text) return own;
  const std::string_view meaning = field(info.metric).meaning;
  const QString shared = QString::fromUtf8(meaning.data(), static_cast<qsizetype>(meaning.size()));
  return own.isEmpty() ? shared : shared + u' ' + own;
}

}  // namespace faultline
