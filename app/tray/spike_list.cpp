#include "app/tray/spike_list.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

#include "app/tray/spike_delegate.h"
#include "app/tray/spike_model.h"
#include "app/tray/theme.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

QString whatASpikeIs() {
  return u"No spikes so far.\n\nA spike is a burst of page faults that stands out: above the threshold in the "
         u"settings, "
         "or far above what the same process did in the minute before."_s;
}

}  // namespace

SpikeList::SpikeList(const Monitor& monitor, QWidget* parent)
    : QWidget(parent),
      m_model(new SpikeModel(monitor, this)),
      m_delegate(new SpikeDelegate(this)),
      m_view(new QListView),
      m_empty(new QLabel(whatASpikeIs())) {
  m_empty->setWordWrap(true);
  m_empty->setMargin(12);
  m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_empty->setAutoFillBackground(true);
  m_view->setModel(m_model);
  m_view->setItemDelegate(m_delegate);
  m_view->setUniformItemSizes(true);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->setAccessibleName(u"Spikes"_s);
  m_view->installEventFilter(this);
  m_view->hide();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_empty, 1);
  layout->addWidget(m_view, 1);
  setFocusProxy(m_view);
  connect(m_view, &QListView::clicked, this, &SpikeList::activate);
  applyTheme();
}

void SpikeList::refresh() {
  if (!isVisible()) return;
  m_model->refresh();
  const bool any = m_model->rowCount() > 0;
  if (any == m_empty->isHidden()) return;
  m_empty->setVisible(!any);
  m_view->setVisible(any);
}

void SpikeList::activate(const QModelIndex& index) {
  if (index.isValid()) Q_EMIT activated(m_model->spike(index.row()));
}

void SpikeList::copySelection() {
  QModelIndexList rows = m_view->selectionModel()->selectedIndexes();
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (const QModelIndex& row : rows) lines << row.data(Qt::DisplayRole).toString();
  if (!lines.isEmpty()) QApplication::clipboard()->setText(lines.join(u'\n'));
}

void SpikeList::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QPoint pointer = m_view->viewport()->mapFromGlobal(event->globalPos());
  const QPersistentModelIndex index = byKey ? m_view->currentIndex() : m_view->indexAt(pointer);
  if (!index.isValid()) return;
  QMenu menu(this);
  menu.addAction(u"&Show in the plots"_s, this, [this, index] { activate(index); })->setShortcut(Qt::Key_Return);
  menu.addAction(u"&Copy as text"_s, this, &SpikeList::copySelection)->setShortcut(QKeySequence::Copy);
  menu.exec(byKey ? m_view->viewport()->mapToGlobal(m_view->visualRect(index).bottomLeft()) : event->globalPos());
}

bool SpikeList::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_view || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = static_cast<const QKeyEvent&>(*event);
  if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
    activate(m_view->currentIndex());
    return true;
  }
  if (key.matches(QKeySequence::Copy)) {
    copySelection();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void SpikeList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) applyTheme();
}

void SpikeList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

// Its own ground is the tables'; the label's palette is set only when that changes it, or it would ask for it again.
void SpikeList::applyTheme() {
  const Theme theme = themeFor(palette());
  m_delegate->setPalette(palette());
  QPalette label = palette();
  label.setColor(QPalette::Window, theme.base);
  label.setColor(QPalette::WindowText, theme.dimInk);
  m_empty->setPalette(label);
  m_view->viewport()->update();
}

}  // namespace faultline
