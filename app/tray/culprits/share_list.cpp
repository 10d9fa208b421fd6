#include "app/tray/culprits/share_list.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <algorithm>

#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/theme.h"
#include "app/tray/widgets/utf8.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kMost = 6;
constexpr int kShareRole = Qt::UserRole;
constexpr double kBar = 0.22;

}  // namespace

ShareList::ShareList(QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(2);
  setHeaderHidden(true);
  setRootIsDecorated(false);
  setIndentation(0);
  setUniformRowHeights(true);
  setFrameShape(QFrame::NoFrame);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTextElideMode(Qt::ElideMiddle);
  setAccessibleName(tr("Culprits"));
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  applyTheme();
}

void ShareList::setCulprits(const Culprits& culprits) {
  clear();
  addGroup(tr("Lines"), tr("The innermost line of each call stack outside of system libraries."), culprits.lines,
           culprits);
  addGroup(tr("Threads"), tr("The threads that faulted."), culprits.threads, culprits);
  addGroup(tr("Memory"), tr("The kind of memory, or the file, that the faults were in."), culprits.memory, culprits);
  addGroup(tr("Kinds"), tr("The causes of the faults."), culprits.kinds, culprits);
  if (culprits.path && culprits.threads.empty()) {
    auto* row = new QTreeWidgetItem(this, {tr("The frame waited for none of the sampled faults."), QString()});
    row->setToolTip(0, tr("They are those of other threads. The flame graph has them."));
  }
}

void ShareList::addGroup(const QString& title, const QString& meaning, const std::vector<CulpritShare>& shares,
                         const Culprits& culprits) {
  if (shares.empty()) return;
  auto* heading = new QTreeWidgetItem(this, {culprits.path ? tr("%1 on the path").arg(title) : title, QString()});
  heading->setFlags(Qt::ItemIsEnabled);
  heading->setFirstColumnSpanned(true);
  const QString path = tr("Of the faults for which the frame waited. The flame graph has those of other threads, too.");
  heading->setToolTip(0, culprits.path ? meaning + QLatin1Char(' ') + path : meaning);
  QFont bold = font();
  bold.setBold(true);
  heading->setFont(0, bold);
  for (std::size_t i = 0; i < std::min(shares.size(), kMost); ++i) {
    const CulpritShare& part = shares[i];
    const double share = culprits.share(part);
    QString name = text(part.name);
    if (part.thread != 0) name = tr("%1 (%2)").arg(name).arg(part.thread);
    auto* row = new QTreeWidgetItem(this, {name, text(formatPercent(share))});
    row->setData(0, kShareRole, share);
    row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    QString tip = tr("%1\n%2 faults").arg(name, text(formatCount(part.faults)));
    if (part.time.count() > 0) tip += tr(", %1 in them").arg(text(formatDuration(part.time)));
    for (const int column : {0, 1}) row->setToolTip(column, plainToolTip(tip));
  }
}

void ShareList::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant share = index.siblingAtColumn(0).data(kShareRole);
  if (share.isValid() && !selectionModel()->isSelected(index)) {
    const Theme theme = themeFor(palette());
    QRectF bar = option.rect.adjusted(2, 1, -2, -1);
    bar.setWidth(bar.width() * share.toDouble());
    painter->fillRect(bar, mixed(theme.base, theme.minor, kBar));
  }
  QTreeWidget::drawRow(painter, option, index);
}

void ShareList::resizeEvent(QResizeEvent* event) {
  QTreeWidget::resizeEvent(event);
  viewport()->update();
}

void ShareList::changeEvent(QEvent* event) {
  QTreeWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyTheme();
}

void ShareList::applyTheme() {
  viewport()->update();
}

}  // namespace faultline
