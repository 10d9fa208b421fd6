#include "app/tray/table/cell_delegate.h"

#include <QPainter>

#include "app/tray/processes/model.h"
#include "app/tray/table/row_ground.h"

namespace faultline {
namespace {

constexpr int kCellMargin = 6;

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  paintRowGround(*painter, option, m_theme);
  const QString text = index.data(Qt::DisplayRole).toString();
  if (text.isEmpty()) return;
  const QRect space = option.rect.adjusted(kCellMargin, 0, -kCellMargin, 0);
  QStaticText shape = m_texts.of(text);
  if (shape.size().width() > space.width() + 1)
    shape = m_texts.of(option.fontMetrics.elidedText(text, Qt::ElideRight, space.width()));
  const auto alignment = Qt::Alignment::fromInt(index.data(Qt::TextAlignmentRole).toInt());
  const double spare = space.width() - shape.size().width();
  const double left = alignment.testFlag(Qt::AlignRight) ? spare : alignment.testFlag(Qt::AlignHCenter) ? spare / 2 : 0;
  painter->setFont(m_texts.font());
  painter->setPen(ink(index));
  painter->drawStaticText(QPointF(space.left() + left, space.top() + (space.height() - shape.size().height()) / 2),
                          shape);
}

std::optional<QColor> CellDelegate::pinColour(const QModelIndex& index) const {
  const QVariant colour = index.data(ProcessModel::ColourRole);
  if (!colour.isValid()) return std::nullopt;
  return m_theme.pins.at(static_cast<std::size_t>(colour.toInt()) % m_theme.pins.size());
}

QColor CellDelegate::ink(const QModelIndex& index) const {
  if (index.column() == columnIndex(Column::Mark)) return pinColour(index).value_or(m_theme.ink);
  return index.data(ProcessModel::DimRole).toBool() ? m_theme.dimInk : m_theme.ink;
}

}  // namespace faultline
