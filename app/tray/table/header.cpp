#include "app/tray/table/header.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QStyle>
#include <algorithm>

namespace faultline {
namespace {

constexpr int kTitleMargin = 6;  // as in the cells below
constexpr int kArrow = 8;        // width of the arrow, and the gap to the title

}  // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setSectionsMovable(true);
  setHighlightSections(false);
  setStretchLastSection(true);
  setMinimumSectionSize(16);
}

void TableHeader::setTheme(const Theme& theme) {
  m_theme = theme;
  viewport()->update();
}

void TableHeader::contextMenuEvent(QContextMenuEvent* event) {
  auto* const menu = new QMenu(this);  // on the stack it would be deleted twice if the window closes first
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fillMenu(*menu);
  menu->popup(event->globalPos());
}

void TableHeader::fillMenu(QMenu& menu) {
  menu.clear();
  qDeleteAll(menu.findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
  QList<QMenu*> groups;
  for (int place = 0; place < count(); ++place) {
    const int section = logicalIndex(place);
    const QString title = model()->headerData(section, orientation()).toString();
    if (title.isEmpty()) continue;
    const QString name = model()->headerData(section, orientation(), GroupRole).toString();
    QMenu* into = &menu;
    if (!name.isEmpty()) {
      const auto group = std::ranges::find(groups, name, &QMenu::title);
      into = group != groups.end() ? *group : groups.emplaceBack(new QMenu(name, &menu));
    }
    QAction* action = into->addAction(title);
    action->setCheckable(true);
    action->setChecked(!isSectionHidden(section));
    action->setEnabled(isSectionHidden(section) || count() - hiddenSectionCount() > 2);
    connect(action, &QAction::toggled, this, [this, section](bool shown) { setSectionHidden(section, !shown); });
  }
  if (!groups.isEmpty()) menu.addSeparator();
  for (QMenu* const group : groups) menu.addMenu(group);
}

void TableHeader::paintEvent(QPaintEvent* event) {
  QHeaderView::paintEvent(event);
  QPainter painter(viewport());
  painter.fillRect(QRect(length() - offset(), 0, width(), height()), m_theme.base);
  painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.grid);
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
  painter->fillRect(rect, m_theme.base);
  const bool sorted = section == sortIndicatorSection();
  const QString title = model()->headerData(section, orientation()).toString();
  const Qt::Alignment alignment = QStyle::visualAlignment(
      layoutDirection(),
      Qt::Alignment::fromInt(model()->headerData(section, orientation(), Qt::TextAlignmentRole).toInt()));
  const QRect space = rect.adjusted(kTitleMargin, 0, -kTitleMargin, 0);
  painter->setPen(sorted ? m_theme.ink : m_theme.dimInk);
  painter->drawText(space, static_cast<int>(alignment | Qt::AlignAbsolute), title);
  if (!sorted) return;
  const int width = fontMetrics().horizontalAdvance(title);
  const bool right = alignment.testFlag(Qt::AlignRight);
  paintArrow(painter,
             QPointF(right ? space.right() - width - kArrow : space.left() + width + kArrow, rect.center().y()));
}

// Points to the smaller values: down if they come last.
void TableHeader::paintArrow(QPainter* painter, const QPointF& centre) const {
  const double tip = sortIndicatorOrder() == Qt::DescendingOrder ? 2 : -2;
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(m_theme.ink);
  painter->drawPolygon(QPolygonF{
      {centre.x() - 3.5, centre.y() - tip}, {centre.x() + 3.5, centre.y() - tip}, {centre.x(), centre.y() + tip}});
  painter->setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace faultline
