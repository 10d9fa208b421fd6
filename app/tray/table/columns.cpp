#include "app/tray/table/columns.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>
#include <utility>

namespace faultline {
namespace {

constexpr int kCellPadding = 14;

}  // namespace

void TableColumns::order(const Hello& hello) {
  int place = 0;
  for (const Column column : columnOrder()) {
    m_header.moveSection(m_header.visualIndex(columnIndex(column)), place++);
    m_wanted[at(column)] = columnInfo(column).shown;
    m_header.setSectionHidden(columnIndex(column), true);
  }
  showMeasured(hello);
}

// The menu can still show an unmeasured column; its cells say why they are empty.
void TableColumns::showMeasured(const Hello& hello) {
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    const bool measured = !needsCapabilities(info) || hello.quality(info.metric).grade != Grade::Unavailable;
    const int section = static_cast<int>(c);
    if (std::exchange(m_measured[c], measured) == measured) continue;
    if (!measured) m_wanted[c] = !m_header.isSectionHidden(section);
    m_header.setSectionHidden(section, !measured || !m_wanted[c]);
  }
}

// A column that is hidden because it is not measured is saved as shown.
QByteArray TableColumns::saved() const {
  const auto away = [this](std::size_t c) { return !m_measured[c] && m_wanted[c]; };
  const auto hide = [&](bool hidden) {
    for (std::size_t c = 0; c < kColumnCount; ++c)
      if (away(c)) m_header.setSectionHidden(static_cast<int>(c), hidden);
  };
  hide(false);
  const QByteArray state = m_header.saveState();
  hide(true);
  return state;
}

bool TableColumns::restore(const QByteArray& columns, const Hello& hello) {
  if (columns.isEmpty() || !m_header.restoreState(columns)) return false;
  m_measured.fill(true);
  showMeasured(hello);
  return true;
}

void TableColumns::setWidths() {
  const QFontMetrics text = m_view.fontMetrics();
  for (std::size_t c = 0; c < kColumnCount; ++c) {
    const ColumnInfo& info = columnInfo(static_cast<Column>(c));
    const int title = text.horizontalAdvance(QString::fromUtf8(info.title)) + text.height();
    const int widest = std::max(title, text.horizontalAdvance(QString::fromUtf8(info.widest)));
    m_view.setColumnWidth(static_cast<int>(c), widest + kCellPadding);
  }
}

}  // namespace faultline
