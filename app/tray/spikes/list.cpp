#include "app/tray/spikes/list.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/tray/processes/pins.h"
#include "app/tray/spikes/delegate.h"
#include "app/tray/spikes/model.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/spikes/text.h"
#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/theme.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

constexpr std::size_t kMostInMenu = 40;  // more do not fit on a screen

QString whatASpikeIs(bool cleared, bool filtered) {
  if (filtered) return u"No spike passes the filter. Esc in the filter clears it."_s;
  return (cleared ? u"No spikes since the list was cleared."_s : u"No spikes so far."_s) +
         u"\n\nA spike is an unusual burst of page faults, zeroed memory or time in faults: above the threshold in the "
         u"settings, or far above the rate of the same process in the minute before."_s;
}

QToolButton* quietButton(const QString& text, const QString& meaning) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(meaning);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  button->hide();
  return button;
}

}  // namespace

SpikeList::SpikeList(const Monitor& monitor, Pins& pins, SpikeMutes& mutes, QWidget* parent)
    : QWidget(parent),
      m_pins(pins),
      m_mutes(mutes),
      m_model(new SpikeModel(monitor, pins, mutes, this)),
      m_delegate(new SpikeDelegate(this)),
      m_filter(new QLineEdit),
      m_view(new QListView),
      m_empty(new QLabel(whatASpikeIs(false, false))),
      m_dropped(new QLabel),
      m_clear(quietButton(u"Clear"_s, u"Empty this list. Plots and recordings do not change."_s)),
      m_undo(quietButton(u"Undo clear"_s, u"Restore the cleared spikes (Ctrl+Z)"_s)),
      m_muted(quietButton({}, u"List the spikes of these programs again"_s)) {
  m_filter->setPlaceholderText(u"Filter spikes"_s);
  m_filter->setAccessibleName(u"Filter spikes by name or pid"_s);
  m_filter->setClearButtonEnabled(true);
  m_filter->installEventFilter(this);
  m_filter->hide();
  m_empty->setWordWrap(true);
  m_empty->setMargin(12);
  m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_empty->setAutoFillBackground(true);
  m_dropped->setMargin(6);
  m_dropped->setToolTip(
      u"Faultline keeps the newest spikes, and the heaviest of those before. Plots and recordings keep the numbers of "
      u"all "
      u"spikes."_s);
  m_dropped->hide();
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
  layout->addWidget(m_filter);
  layout->addWidget(m_empty, 1);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_dropped);
  layout->addWidget(m_muted, 0, Qt::AlignLeft);
  layout->addWidget(m_undo, 0, Qt::AlignRight);
  layout->addWidget(m_clear, 0, Qt::AlignRight);
  m_undoTimer.setSingleShot(true);
  connect(&m_undoTimer, &QTimer::timeout, this, &SpikeList::showWhatThereIs);
  connect(m_view, &QListView::clicked, this, &SpikeList::activate);
  connect(m_clear, &QToolButton::clicked, this, &SpikeList::clear);
  connect(m_undo, &QToolButton::clicked, this, &SpikeList::undoClear);
  connect(m_muted, &QToolButton::clicked, this, &SpikeList::unmute);
  connect(&mutes, &SpikeMutes::changed, this, &SpikeList::showWhatThereIs);
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_model->setFilter(text);
    showWhatThereIs();
  });
  auto* undo = new QShortcut(QKeySequence::Undo, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
  connect(undo, &QShortcut::activated, this, &SpikeList::undoClear);
  applyTheme();
}

void SpikeList::setReplay(bool replay) {
  m_delegate->setReplay(replay);
}

void SpikeList::refresh() {
  if (!isVisible()) return;
  m_model->refresh();
  showWhatThereIs();
}

void SpikeList::clear() {
  m_model->clear();
  m_undoTimer.start(kUndoShowsMs);
  showWhatThereIs();
  m_undo->setFocus();
}

void SpikeList::unmute() {
  m_mutes.set({});
}

void SpikeList::undoClear() {
  if (!m_undoTimer.isActive()) return;
  m_undoTimer.stop();
  m_model->restore();
  showWhatThereIs();
  m_view->setFocus();
}

void SpikeList::showWhatThereIs() {
  const bool any = m_model->rowCount() > 0;
  const bool undoable = m_undoTimer.isActive() && m_model->anyCleared();
  m_empty->setText(m_model->spikesKnown() ? whatASpikeIs(m_model->anyCleared(), m_model->anyHidden())
                                          : u"Spikes are found when the whole recording has been read."_s);
  m_filter->setVisible(any || m_model->anyHidden());
  const std::size_t muted = m_mutes.names().size();
  m_muted->setVisible(muted > 0);
  m_muted->setText(muted == 1 ? u"1 program muted ✕"_s
                              : u"%1 programs muted ✕"_s.arg(QString::fromStdString(formatCount(muted))));
  m_dropped->setVisible(any && m_model->found() > m_model->kept());
  m_dropped->setText(u"%1 of %2 spikes are listed"_s.arg(QString::fromStdString(formatCount(m_model->kept())),
                                                         QString::fromStdString(formatCount(m_model->found()))));
  m_undo->setVisible(undoable);
  m_clear->setVisible(any && !undoable);
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

bool SpikeList::hasProcess(const QModelIndex& index) const {
  return index.isValid() && m_model->spike(index.row()).key != ProcessKey();
}

// The spikes of one row, newest first.
void SpikeList::fillGroup(QMenu& menu, int row) {
  const auto& ids = m_model->row(row).ids;
  const std::size_t listed = std::min(ids.size(), kMostInMenu);
  for (std::size_t i = 0; i < listed; ++i) {
    const std::uint64_t id = ids[ids.size() - 1 - i];
    const Spike* spike = m_model->find(id);
    if (spike == nullptr) continue;
    menu.addAction(spikeTime(*spike, m_model->dated()) + u"   "_s + QString::fromStdString(spikeAmount(*spike)), this,
                   [this, id] {
                     if (const Spike* chosen = m_model->find(id)) Q_EMIT activated(*chosen);
                   });
  }
  if (listed < ids.size())
    menu.addAction(u"and %1 earlier ones"_s.arg(QString::fromStdString(formatCount(ids.size() - listed))))
        ->setEnabled(false);
}

// Entries are greyed if no spike is selected, so that the menu still shows them.
void SpikeList::fillMenu(QMenu& menu) {
  const QPersistentModelIndex index = m_view->currentIndex();
  const auto addForSpike = [&](const QString& text, auto what) {
    QAction* action = menu.addAction(text, this, [this, index, what] {
      if (index.isValid()) what(m_model->spike(index.row()));
    });
    action->setEnabled(index.isValid());
    return action;
  };
  const QString name =
      index.isValid() ? shortName(m_model->spike(index.row()).name).replace(u'&', u"&&"_s) : u"the program"_s;
  const bool pinned = index.isValid() && m_pins.colour(m_model->spike(index.row()).key).has_value();
  addForSpike(u"&Show in the plots\tEnter"_s, [this](const Spike& spike) { Q_EMIT activated(spike); });
  if (index.isValid() && m_model->row(index.row()).times > 1)
    fillGroup(*menu.addMenu(u"Show &one of its %1 spikes"_s.arg(
                  QString::fromStdString(formatCount(m_model->row(index.row()).times)))),
              index.row());
  QAction* select =
      addForSpike(u"Select the p&rocess"_s, [this](const Spike& spike) { Q_EMIT processRequested(spike.key); });
  QAction* pin = addForSpike(pinned ? u"Un&pin the process"_s : u"&Pin the process"_s,
                             [this](const Spike& spike) { m_pins.toggle(spike.key); });
  for (QAction* action : {select, pin}) action->setEnabled(action->isEnabled() && hasProcess(index));
  addForSpike(u"&Mute all spikes of %1"_s.arg(name), [this](const Spike& spike) { m_mutes.mute(spike.name); });
  addForSpike(u"&Copy as text\tCtrl+C"_s, [this](const Spike&) { copySelection(); });
  menu.addSeparator();
  menu.addAction(u"C&lear the list"_s, this, &SpikeList::clear)->setEnabled(m_model->rowCount() > 0);
  menu.addAction(u"List m&uted programs again"_s, this, &SpikeList::unmute)->setEnabled(!m_mutes.names().empty());
}

void SpikeList::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const QPoint pointer = m_view->viewport()->mapFromGlobal(event->globalPos());
  const QPersistentModelIndex index = byKey ? m_view->currentIndex() : m_view->indexAt(pointer);
  if (!index.isValid()) return;
  m_view->setCurrentIndex(index);
  auto* const menu = new QMenu(this);  // on the stack it would be deleted twice if the window closes first
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fillMenu(*menu);
  menu->popup(byKey ? m_view->viewport()->mapToGlobal(m_view->visualRect(index).bottomLeft()) : event->globalPos());
}

bool SpikeList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = static_cast<const QKeyEvent&>(*event);
  if (watched == m_filter && key.key() == Qt::Key_Escape && !m_filter->text().isEmpty()) {
    m_filter->clear();
    return true;
  }
  if (watched != m_view) return QWidget::eventFilter(watched, event);
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

// The ground is that of the tables.
void SpikeList::applyTheme() {
  const Theme theme = themeFor(palette());
  m_delegate->setPalette(palette());
  QPalette label = palette();
  label.setColor(QPalette::Window, theme.base);
  label.setColor(QPalette::WindowText, theme.dimInk);
  m_empty->setPalette(label);
  m_dropped->setPalette(label);
  m_filter->setPalette(inputPalette(palette()));
  m_view->viewport()->update();
}

}  // namespace faultline
