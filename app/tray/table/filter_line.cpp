#include "app/tray/table/filter_line.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include "app/tray/processes/settling.h"
#include "app/tray/widgets/local_time.h"
#include "app/tray/widgets/plain_text.h"
#include "core/text/quantity.h"

namespace faultline {

using namespace Qt::StringLiterals;

FilterLine::FilterLine(ProcessFilter& rows, QWidget* parent)
    : QWidget(parent),
      m_rows(rows),
      m_instant(new QLabel),
      m_filter(new QLineEdit),
      m_activeOnly(new QCheckBox(u"Active only"_s)),
      m_tree(new QComboBox),
      m_count(new QLabel) {
  m_filter->setPlaceholderText(u"Filter by name, command line, user, service, parent or pid"_s);
  m_filter->setToolTip(u"Each word must occur; unit:NAME shows the processes of one service or container."_s);
  m_filter->setAccessibleName(u"Filter processes"_s);
  m_filter->setClearButtonEnabled(true);
  m_count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_count->setMinimumWidth(fontMetrics().horizontalAdvance(u"0000 processes · 00 ended"_s));
  m_count->setToolTip(plainToolTip(
      u"Live, the rates of the table are averages of about 5 s, in which newer samples count for more: rows "
      u"keep their places. The figures and labels above are of the last interval alone. Where the picture "
      u"stands still, all are of that instant."_s));
  m_activeOnly->setToolTip(u"Show only processes with a fault in the last minute, and pinned processes."_s);
  m_tree->addItems({u"List"_s, u"Tree"_s, u"Services"_s});
  m_tree->setAccessibleName(u"Order of the processes"_s);
  m_tree->setToolTip(plainToolTip(
      u"List: each process by itself.\nTree: below its parent, with the numbers of all its descendants.\nServices: "
      u"below the first process of its systemd unit or container, with the numbers of all of them.\nTotals include "
      u"processes that have ended since Faultline was started, rates and levels only running ones. Left and Right, or "
      u"a click on the triangle, fold and unfold."_s));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(6, 4, 6, 4);
  line->setSpacing(12);
  line->addWidget(m_instant);
  line->addWidget(m_filter, 1);
  line->addWidget(m_activeOnly);
  line->addWidget(m_tree);
  line->addWidget(m_count);
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_rows.setText(text);
    Q_EMIT changed();
  });
  connect(m_activeOnly, &QCheckBox::toggled, this, [this](bool only) {
    m_rows.setActiveOnly(only);
    Q_EMIT changed();
  });
  connect(m_tree, &QComboBox::currentIndexChanged, this, [this](int tree) {
    m_rows.setTree(static_cast<ProcessModel::Tree>(tree));
    Q_EMIT changed();
  });
}

void FilterLine::tell(const ProcessModel& model, const History& history) {
  const auto all = static_cast<std::size_t>(model.rowCount());
  const auto shown = static_cast<std::size_t>(m_rows.rowCount());
  const std::size_t ended = model.endedCount();
  const auto number = [](std::size_t value) { return QString::fromStdString(formatCount(value)); };
  QString count =
      shown == all ? u"%1 processes"_s.arg(number(all - ended)) : u"%1 of %2"_s.arg(number(shown), number(all));
  if (shown == all && ended > 0) count += u" · %1 ended"_s.arg(number(ended));
  const auto instant = model.instant();
  if (!instant) count += averagesIfRoom(count);
  if (m_count->text() != count) m_count->setText(count);
  m_instant->setVisible(instant.has_value());
  if (!instant) return;
  m_instant->setText(
      u"◆ standing at %1"_s.arg(localTime(history.wall(*instant)).toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s)));
}

// Words for the live rates, unless they would take most of the filter's place.
QString FilterLine::averagesIfRoom(const QString& count) const {
  const QString words = u" · averages of %1 s"_s.arg(QString::fromStdString(formatCount(kAveragedSeconds)));
  const int filter = m_filter->width() + m_count->width() - fontMetrics().horizontalAdvance(count + words);
  return 2 * filter > fontMetrics().horizontalAdvance(m_filter->placeholderText()) ? words : QString();
}

void FilterLine::showAll() {
  m_filter->clear();
  m_activeOnly->setChecked(false);
}

QString FilterLine::whyNothing() const {
  const QString text = m_filter->text().trimmed();
  const QString active = m_activeOnly->isChecked() ? u" has faulted within the last minute"_s : QString();
  if (text.isEmpty()) return u"No process%1."_s.arg(active);
  return u"No process with “%1” in its name, command line, user, service or parent, or at the beginning of its pid,%2. "
         u"Esc in "
         u"the filter clears it."_s.arg(text, active.isEmpty() ? u" was found"_s : active);
}

void FilterLine::setColours(const QPalette& palette) {
  m_filter->setPalette(inputPalette(palette));
  m_activeOnly->setPalette(boxPalette(palette));
  m_tree->setPalette(inputPalette(palette));
  QPalette standing = palette;
  standing.setColor(QPalette::WindowText, themeFor(palette).spike);
  m_instant->setPalette(standing);
}

}  // namespace faultline
