#include "app/tray/lab/rows.h"

#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/utf8.h"
#include "core/lab/view/comparison.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

QStringList cellsOf(const LabRow& row, const LabReport* other) {
  QStringList cells;
  for (const std::string& cell : labCells(row)) cells << text(cell);
  const LabPair pair = pairOf(row, other);
  cells << (pair.there ? text(formatDuration(pair.there->median)) : QStringLiteral("–"));
  cells << (pair.ratio ? QString::number(*pair.ratio, 'g', 3) : QStringLiteral("–"));
  return cells;
}

bool leftColumn(int column) {
  return column < LabRows::kThere && labColumn(static_cast<LabColumn>(column)).text;
}

}  // namespace

void LabRows::show(const LabReport& report, const LabReport* other) {
  beginResetModel();
  m_report = report;
  m_other = other != nullptr ? std::optional(*other) : std::nullopt;
  m_cells.clear();
  for (const LabRow& row : m_report.rows) m_cells.push_back(cellsOf(row, other));
  endResetModel();
}

int LabRows::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_cells.size());
}

int LabRows::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kRatio + 1;
}

QVariant LabRows::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const LabRow& row = m_report.rows[static_cast<std::size_t>(index.row())];
  const QString& cell = m_cells[static_cast<std::size_t>(index.row())][index.column()];
  const bool name = index.column() <= static_cast<int>(LabColumn::Phase);
  const bool published = index.column() == static_cast<int>(LabColumn::Published);
  switch (role) {
    case Qt::DisplayRole:
      return cell;
    case Qt::ToolTipRole:
      if (!row.note.empty()) return plainToolTip(text(row.note));
      return name || published ? plainToolTip(cell) : QVariant();
    case Qt::TextAlignmentRole:
      return (Qt::AlignVCenter | (leftColumn(index.column()) ? Qt::AlignLeft : Qt::AlignRight)).toInt();
    case DimRole:
      return row.samples.empty() || cell == u"–" || published;
    default:
      return {};
  }
}

QVariant LabRows::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return (Qt::AlignVCenter | (leftColumn(section) ? Qt::AlignLeft : Qt::AlignRight)).toInt();
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (section == kThere)
    return role == Qt::DisplayRole ? tr("other")
                                   : tr("The time on the other machine, for as much work: %1")
                                         .arg(m_other ? text(m_other->machine) : QString());
  if (section == kRatio)
    return role == Qt::DisplayRole ? tr("other / here") : tr("Above 1: the other machine takes longer");
  const LabColumnInfo& info = labColumn(static_cast<LabColumn>(section));
  if (role == Qt::ToolTipRole) return text(info.meaning);
  return info.title.empty() ? QStringLiteral("±") : text(info.title);
}

}  // namespace faultline
