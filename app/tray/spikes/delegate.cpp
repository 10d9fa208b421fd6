#include "app/tray/spikes/delegate.h"

#include <QPainter>

#include "app/tray/spikes/model.h"
#include "app/tray/spikes/text.h"
#include "app/tray/table/row_ground.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kSpikeMargin = 6;
constexpr int kSpikeGap = 4;  // between two spikes
constexpr int kLines = 3;

void paintDiamond(QPainter& painter, QPointF centre, double radius, const QColor& colour, bool filled) {
  const QPolygonF diamond{{centre.x(), centre.y() - radius},
                          {centre.x() + radius, centre.y()},
                          {centre.x(), centre.y() + radius},
                          {centre.x() - radius, centre.y()}};
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 1.5));
  painter.setBrush(filled ? QBrush(colour) : QBrush(Qt::NoBrush));
  painter.drawPolygon(diamond);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

void SpikeDelegate::setPalette(const QPalette& palette) {
  m_theme = themeFor(palette);
}

void SpikeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  paintRowGround(*painter, option, m_theme);
  const auto& model = static_cast<const SpikeModel&>(*index.model());
  const SpikeRow& row = model.row(index.row());
  const Spike& spike = row.latest;
  const bool once = row.times == 1;
  const QFontMetrics& text = option.fontMetrics;
  const int line = text.height();
  const int indent = line;
  QRect space = option.rect.adjusted(kSpikeMargin, kSpikeGap, -kSpikeMargin, -kSpikeGap);
  paintDiamond(*painter, QPointF(space.left() + indent / 2.0 - 2, space.top() + line / 2.0), line / 4.0, m_theme.spike,
               spike.open);
  space.setLeft(space.left() + indent);

  const auto write = [&](const QString& what, const QColor& ink, Qt::Alignment side) {
    painter->setPen(ink);
    painter->drawText(QRect(space.topLeft(), QSize(space.width(), line)), static_cast<int>(side) | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(what, Qt::ElideRight, space.width()));
  };
  const bool live = spike.open && !m_replay;
  const QString time = live ? QStringLiteral("live") : spikeTime(spike, model.dated());
  const int timeWidth = text.horizontalAdvance(time);
  write(time, live ? m_theme.spike : m_theme.dimInk, Qt::AlignRight);
  space.setRight(space.right() - timeWidth - kSpikeMargin);
  QFont bold = option.font;
  bold.setBold(true);
  painter->setFont(bold);
  const QString star = row.pinned ? QStringLiteral("★ ") : QString();
  write(star + QString::fromStdString(printableName(spike.name)), m_theme.ink, Qt::AlignLeft);
  painter->setFont(option.font);
  space.setRight(space.right() + timeWidth + kSpikeMargin);
  space.translate(0, line);
  write(QString::fromStdString(once ? spikeAmount(spike) : row.habit), m_theme.ink, Qt::AlignLeft);
  space.translate(0, line);
  write(once ? spikeStrength(spike) : QString::fromStdString(row.each), m_theme.dimInk, Qt::AlignLeft);
}

QSize SpikeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  const int line = option.fontMetrics.height();
  return {line * 12, line * kLines + 2 * kSpikeGap};
}

}  // namespace faultline
