#include "app/tray/frames/model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/tray/table/header.h"
#include "app/tray/widgets/spoken_value.h"
#include "app/tray/widgets/utf8.h"
#include "core/frames/files/export.h"
#include "core/model/frame_numbers.h"
#include "core/text/number_style.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

struct ColumnWords {
  const char16_t* title;
  const char16_t* meaning;
};

constexpr int kColumns = kOwnFrameColumns + static_cast<int>(kFrameMetricCount);

constexpr std::array<ColumnWords, kOwnFrameColumns> kWords{{
    {u"Frame", u"Number of the frame, counted by the game's marks."},
    {u"At", u"Start of the frame, since watching began."},
    {u"Duration", u"Time from the previous mark to the frame's own mark."},
    {u"For memory",
     u"Time for memory on the frame's path: in page faults, and giving memory back, by the thread that ends the frame "
     u"and by those for which it waited. Where the path is unknown, the time of all threads in faults. ≈: estimated "
     u"from the number of faults."},
    {u"Faults", u"Page faults of all threads during the frame."},
    {u"Own", u"Share of the faults by the thread that ends the frames."},
    {u"Zeroed", u"Memory that the kernel cleared for the game during the frame."},
    {u"Late by",
     u"Time beyond the deadline (the budget, or the game's own cadence) or, within it, beyond the usual duration."},
    {u"By faults",
     u"Share of the lateness that the frame would not have without its faults, and without the waits for a processor "
     u"that come with them."},
    {u"Culprit", u"Origin of most of the frame's faults."},
}};

// Null: the column shows something else, or there is none.
const FrameField* numberIn(FrameColumn column) {
  if (column == FrameColumn::Zeroed) return &field(FrameMetric::ZeroedBytes);
  if (column < FrameColumn::Count) return nullptr;
  const auto metric = static_cast<FrameMetric>(static_cast<int>(column) - kOwnFrameColumns);
  return field(metric).name.empty() || metric == FrameMetric::ZeroedBytes ? nullptr : &field(metric);
}

QString amount(const FrameField& row, std::uint64_t value) {
  return text(row.label                    ? std::to_string(value)  // an id
              : row.unit == Unit::Bytes    ? formatBytes(value)
              : row.unit == Unit::Duration ? formatDuration(Nanoseconds(static_cast<std::int64_t>(value)))
                                           : formatCount(value));
}

// A line for each number that is not 0.
QString numbersOf(const GameFrame& frame) {
  QString lines;
  for (const FrameField& row : kFrameFields)
    if (const auto value = exportedValue(frame, row).value_or(0); value > 0 && !row.name.empty())
      lines += u"\n%1: %2"_s.arg(text(titleOf(row)), amount(row, value));
  return lines;
}

// In the order of FrameGroup.
constexpr std::array kGroups{
    u"Faults", u"Zeroed",          u"Fault time", u"Parts of fault time", u"Reclaim, compaction", u"Giving memory back",
    u"Delays", u"Awaited threads", u"Freed"};

QString unavailable() {
  return QString::fromUtf8(kUnavailable.data(), kUnavailable.size());
}

QString clock(Nanoseconds since) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  const QString time =
      u"%1:%2.%3"_s.arg(ms / 60'000).arg(ms / 1000 % 60, 2, 10, QChar(u'0')).arg(ms % 1000, 3, 10, QChar(u'0'));
  return text(styled(time.toStdString()));
}

}  // namespace

FrameModel::FrameModel(const WorstFrames& worst, QObject* parent) : QAbstractTableModel(parent), m_worst(worst) {}

// Remaining rows keep their order, so a row with another place is new.
void FrameModel::refresh() {
  const auto& now = m_worst.rows();
  std::vector<std::uint64_t> places;
  places.reserve(now.size());
  for (const WorstFrames::Row& row : now) places.push_back(row.place);
  std::ranges::sort(places);
  for (int row = rowCount() - 1; row >= 0; --row) {
    if (std::ranges::binary_search(places, place(row))) continue;
    beginRemoveRows({}, row, row);
    m_rows.erase(m_rows.begin() + row);
    endRemoveRows();
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i < m_rows.size() && m_rows[i].place == now[i].place) continue;
    beginInsertRows({}, static_cast<int>(i), static_cast<int>(i));
    m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(i), now[i]);
    endInsertRows();
  }
}

void FrameModel::reset() {
  beginResetModel();
  m_rows = m_worst.rows();
  endResetModel();
}

void FrameModel::setCulprit(std::uint64_t place, const QString& text) {
  if (m_culprits.value(place) == text) return;
  m_culprits.insert(place, text);
  if (const auto row = rowOf(place)) {
    const QModelIndex cell = index(*row, static_cast<int>(FrameColumn::Culprit));
    Q_EMIT dataChanged(cell, cell);
  }
}

void FrameModel::forgetBefore(std::uint64_t place) {
  const auto& kept = std::as_const(m_culprits);  // lowerBound() of another one would leave the present iterators behind
  m_culprits.erase(kept.cbegin(), kept.lowerBound(place));
}

FrameColumn FrameModel::columnOf(FrameMetric metric) {
  if (metric == FrameMetric::ZeroedBytes) return FrameColumn::Zeroed;
  return static_cast<FrameColumn>(kOwnFrameColumns + static_cast<int>(metric));
}

std::optional<int> FrameModel::rowOf(std::uint64_t place) const {
  const auto row = std::ranges::find(m_rows, place, &WorstFrames::Row::place);
  return row == m_rows.end() ? std::nullopt : std::optional(static_cast<int>(row - m_rows.begin()));
}

int FrameModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FrameModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

std::optional<double> FrameModel::number(const JudgedFrame& judged, FrameColumn column) const {
  const auto count = [](auto value) { return static_cast<double>(value); };
  const GameFrame& frame = judged.frame;
  const FrameVerdict& verdict = judged.verdict;
  if (const auto* const row = numberIn(column)) {
    const auto value = exportedValue(frame, *row);
    return value ? std::optional(count(*value)) : std::nullopt;
  }
  switch (column) {
    case FrameColumn::Number:
      return count(frame.number);
    case FrameColumn::Time:
      return count((frame.start - m_zero).count());
    case FrameColumn::Duration:
      return count(frame.duration.count());
    case FrameColumn::ForMemory:
      return verdict.memoryTime() ? std::optional(count(verdict.memoryTime()->count())) : std::nullopt;
    case FrameColumn::Faults:
      return count(frame.faults());
    case FrameColumn::Own:
      if (!frame.ownFaults() || frame.faults() == 0) return std::nullopt;
      return count(*frame.ownFaults()) / count(frame.faults());
    case FrameColumn::LateBy:
      return verdict.late ? count(verdict.excess.count()) : 0;
    case FrameColumn::Explained:
      return verdict.explainedWithWaits();
    default:
      return std::nullopt;
  }
}

QString FrameModel::text(const WorstFrames::Row& row, FrameColumn column) const {
  const auto value = number(row.judged, column);
  if (const auto* const of = numberIn(column))
    return value ? amount(*of, static_cast<std::uint64_t>(*value)) : unavailable();
  const auto time = [&] { return faultline::text(formatDuration(*value)); };
  switch (column) {
    case FrameColumn::Number:
      return faultline::text(formatCount(row.judged.frame.number));
    case FrameColumn::Time:
      return clock(row.judged.frame.start - m_zero);
    case FrameColumn::Duration:
      return time();
    case FrameColumn::ForMemory:
      if (!value) return unavailable();
      return (row.judged.verdict.estimated ? u"≈ "_s : QString()) + time();
    case FrameColumn::Faults:
      return faultline::text(formatCount(row.judged.frame.faults()));
    case FrameColumn::Own:
      return value ? faultline::text(formatPercent(*value)) : unavailable();
    case FrameColumn::LateBy:
      return row.judged.verdict.late ? time() : u"·"_s;
    case FrameColumn::Explained:
      if (!row.judged.verdict.late) return u"·"_s;
      return value ? faultline::text(formatPercent(*value)) : unavailable();
    case FrameColumn::Culprit:
      return m_culprits.value(row.place);
    default:
      return {};
  }
}

QVariant FrameModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = static_cast<FrameColumn>(index.column());
  const WorstFrames::Row& row = m_rows[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(row, column);
    case Qt::AccessibleTextRole:
      return spokenCell(text(row, column));
    case SortRole:
      if (column == FrameColumn::Culprit) return text(row, column);
      return number(row.judged, column).value_or(-1);
    case DimRole:
      return column != FrameColumn::Culprit && number(row.judged, column).value_or(0) == 0;
    case Qt::TextAlignmentRole:
      return static_cast<int>((column == FrameColumn::Culprit ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return faultline::text(frameText(row.judged)) + u'\n' + numbersOf(row.judged.frame);
    default:
      return {};
  }
}

QVariant FrameModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const auto* const row = numberIn(static_cast<FrameColumn>(section));
  if (section < kOwnFrameColumns) {
    const ColumnWords& words = kWords.at(static_cast<std::size_t>(section));
    if (role == Qt::DisplayRole) return QString::fromUtf16(words.title);
    if (role == Qt::ToolTipRole) return QString::fromUtf16(words.meaning);
  } else if (row != nullptr) {
    if (role == Qt::DisplayRole) return faultline::text(titleOf(*row));
    if (role == Qt::ToolTipRole) return faultline::text(row->meaning);
    if (role == TableHeader::GroupRole) return QString::fromUtf16(kGroups.at(static_cast<std::size_t>(row->group)));
  }
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == static_cast<int>(FrameColumn::Culprit) ? Qt::AlignLeft : Qt::AlignRight) |
                            Qt::AlignVCenter);
  if (role == Qt::InitialSortOrderRole)  // the first click on numbers shows the largest
    return section == static_cast<int>(FrameColumn::Culprit) ? Qt::AscendingOrder : Qt::DescendingOrder;
  return {};
}

}  // namespace faultline
