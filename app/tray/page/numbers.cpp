#include "app/tray/page/numbers.h"

#include <QEvent>
#include <QGridLayout>
#include <algorithm>

#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/spoken_value.h"
#include "app/tray/widgets/theme.h"
#include "app/tray/widgets/utf8.h"

namespace faultline {
namespace {

constexpr int kRowGap = 4;
constexpr int kColumnGap = 12;
constexpr std::size_t kBuckets = 120;

}  // namespace

PageNumbers::PageNumbers(QWidget* parent) : QWidget(parent) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setVerticalSpacing(kRowGap);
  grid->setHorizontalSpacing(kColumnGap);
  grid->setColumnStretch(1, 1);
  for (const Column column : kColumns) {
    const ColumnInfo& info = columnInfo(column);
    const int row = static_cast<int>(m_lines.size());
    Line line{new QLabel(text(field(info.metric).title) + (info.kind == ColumnKind::Rate ? tr("/s") : QString())),
              new MinuteLine, new QLabel};
    line.name->setToolTip(plainToolTip(columnMeaning(column)));
    line.value->setTextFormat(Qt::PlainText);
    grid->addWidget(line.name, row, 0);
    grid->addWidget(line.minute, row, 1);
    grid->addWidget(line.value, row, 2, Qt::AlignRight);
    m_lines.push_back(line);
  }
  applyTheme();
}

void PageNumbers::show(const ProcessEntry& entry, const CellContext& context, const History& history,
                       MonotonicTime time) {
  for (std::size_t i = 0; i < m_lines.size(); ++i) {
    const ColumnInfo& info = columnInfo(kColumns[i]);
    const Line& line = m_lines[i];
    const bool there = !ofNoConcern(context.hello.quality(info.metric));
    for (QWidget* each :
         {static_cast<QWidget*>(line.name), static_cast<QWidget*>(line.minute), static_cast<QWidget*>(line.value)})
      each->setVisible(there);
    if (!there) continue;
    const QString value = cellText(entry, kColumns[i], context);
    if (value != line.value->text()) {
      line.value->setText(value);
      line.value->setToolTip(plainToolTip(cellToolTip(entry, kColumns[i], context)));
      line.value->setAccessibleName(line.name->text() + u' ' + spokenCell(value));
    }
    line.minute->setSeries(info.kept() ? history.process(entry.key, info.metric, time - kMinuteLineSpan, time, kBuckets)
                                       : std::vector<Bucket>(),
                           time);
  }
}

QString PageNumbers::value(Column column) const {
  const auto place = std::ranges::find(kColumns, column) - kColumns.begin();
  return m_lines.at(static_cast<std::size_t>(place)).value->text();
}

void PageNumbers::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyTheme();
}

void PageNumbers::applyTheme() {
  QPalette dim = palette();
  dim.setColor(QPalette::Text, themeFor(dim).dimInk);  // on the ground of the tables
  for (const Line& line : m_lines) line.name->setPalette(dim);
}

}  // namespace faultline
