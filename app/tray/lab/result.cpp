#include "app/tray/lab/result.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/tray/lab/answer.h"
#include "app/tray/table/cell_delegate.h"
#include "app/tray/table/header.h"
#include "app/tray/table/view.h"
#include "app/tray/widgets/calm_box.h"
#include "app/tray/widgets/screen_fit.h"
#include "app/tray/widgets/utf8.h"
#include "core/lab/checks.h"
#include "core/lab/summary.h"
#include "core/lab/view/text.h"

namespace faultline {
namespace {

constexpr int kCellPadding = 14;
constexpr int kRowPadding = 6;
constexpr int kResultMargin = 8;
constexpr int kLanesTab = 2;

QString markOf(LabVerdict verdict) {
  if (verdict == LabVerdict::Held) return QStringLiteral("✓ ");
  return verdict == LabVerdict::NotHeld ? QStringLiteral("✗ ") : QStringLiteral("– ");
}

// The place of the group that took most time.
int dearest(const LabReport& report, const std::vector<LabGroup>& groups) {
  const auto time = [&](const LabGroup& group) {
    double sum = 0;
    for (const std::size_t row : group.rows) sum += labTime(report.rows[row])->median;
    return sum;
  };
  const auto found = std::ranges::max_element(groups, {}, time);
  return groups.empty() ? -1 : static_cast<int>(found - groups.begin());
}

}  // namespace

LabResult::LabResult(QWidget* parent)
    : QSplitter(Qt::Horizontal, parent),
      m_rows(new LabRows(this)),
      m_table(new QTableView),
      m_header(new TableHeader(m_table)),
      m_cells(new CellDelegate(this)),
      m_tabs(new QTabWidget),
      m_groups(new CalmBox),
      m_legend(new LineLabel),
      m_chart(new LabChart),
      m_claims(new QListWidget),
      m_lanes(new LanePane) {
  buildTable();
  auto* chart = new QWidget;
  auto* column = new QVBoxLayout(chart);
  column->setContentsMargins(kResultMargin, kResultMargin / 2, 0, 0);
  auto* line = new QHBoxLayout;
  line->addWidget(m_groups);
  line->addWidget(m_legend, 1);
  column->addLayout(line);
  column->addWidget(scrolled(*m_chart), 1);
  m_groups->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_groups->setAccessibleName(tr("Times in the chart"));
  connect(m_groups, &QComboBox::currentIndexChanged, this, &LabResult::showGroup);
  m_claims->setWordWrap(true);
  m_claims->setFrameShape(QFrame::NoFrame);
  m_claims->setSelectionMode(QAbstractItemView::NoSelection);
  m_claims->setAccessibleName(tr("Claims and notes"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(chart, tr("Chart"));
  m_tabs->addTab(m_claims, tr("Claims"));
  m_tabs->addTab(m_lanes, tr("Lanes"));
  m_tabs->setTabVisible(kLanesTab, false);
  addWidget(m_table);
  addWidget(m_tabs);
  setSizes({640, 520});
  setChildrenCollapsible(false);
  applyTheme();
}

void LabResult::buildTable() {
  m_table->setHorizontalHeader(m_header);
  m_table->setModel(m_rows);
  m_table->setItemDelegate(m_cells);
  m_header->setSortIndicator(-1, Qt::AscendingOrder);  // the order of the report
  m_table->setAccessibleName(tr("Rows of the experiment"));
  setUpRows(*m_table, QAbstractItemView::SingleSelection);
}

void LabResult::setReport(const LabReport& report, const LabReport* other) {
  m_other = other != nullptr ? std::optional(*other) : std::nullopt;
  m_rows->show(report, other);
  m_legend->setLine(other != nullptr ? tr("hollow: %1").arg(text(other->machine)) : QString());
  fitColumns();
  showClaims();
  showLanes();
  const QSignalBlocker quiet(m_groups);
  const QString chosen = m_groups->currentText();
  m_groups->clear();
  const std::vector<LabGroup> groups = labGroups(report);
  for (const LabGroup& group : groups) m_groups->addItem(text(labGroupTitle(group)));
  const int same = m_groups->findText(chosen);
  m_groups->setCurrentIndex(same >= 0 ? same : dearest(report, groups));
  showGroup(m_groups->currentIndex());
}

// Empty columns, and those of the other machine where there is none, are hidden.
void LabResult::fitColumns() {
  const QFontMetrics metrics = m_table->fontMetrics();
  for (int column = 0; column < m_rows->columnCount(); ++column) {
    int widest = metrics.horizontalAdvance(m_rows->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    bool filled = false;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
      const QString cell = m_rows->index(row, column).data().toString();
      filled |= !cell.isEmpty();
      widest = std::max(widest, metrics.horizontalAdvance(cell));
    }
    m_table->setColumnHidden(column, !filled || (column >= LabRows::kThere && !m_rows->compares()));
    m_table->setColumnWidth(column, widest + kCellPadding);
  }
}

void LabResult::showClaims() {
  m_claims->clear();
  const std::vector<LabCheck> checks = labChecks(m_rows->report());
  for (const LabCheck& check : checks) {
    auto* item = new QListWidgetItem(markOf(check.verdict) + labClaim(check), m_claims);
    item->setToolTip(text(labVerdictText(check.verdict)));
    QFont font = item->font();
    font.setBold(check.verdict == LabVerdict::NotHeld);
    item->setFont(font);
  }
  for (const std::string& note : labNotes(m_rows->report())) new QListWidgetItem(text(note), m_claims);
  const auto held = std::ranges::count(checks, LabVerdict::Held, &LabCheck::verdict);
  m_tabs->setTabText(1, tr("Claims: %1 of %2 hold").arg(held).arg(checks.size()));
}

void LabResult::showLanes() {
  const auto& lanes = m_rows->report().lanes;
  const bool before = m_tabs->isTabVisible(kLanesTab);
  m_lanes->setPictures(lanes);
  m_tabs->setTabVisible(kLanesTab, !lanes.empty());
  if (!before && !lanes.empty()) m_tabs->setCurrentIndex(kLanesTab);
}

void LabResult::showGroup(int index) {
  const std::vector<LabGroup> groups = labGroups(m_rows->report());
  if (index >= 0 && index < static_cast<int>(groups.size()))
    m_chart->setGroup(m_rows->report(), groups[static_cast<std::size_t>(index)], m_other ? &*m_other : nullptr);
}

void LabResult::changeEvent(QEvent* event) {
  QSplitter::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
}

void LabResult::applyTheme() {
  const Theme theme = themeFor(palette());
  m_cells->setTheme(theme);
  m_cells->setFont(m_table->font());
  m_header->setTheme(theme);
  m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + kRowPadding);
}

}  // namespace faultline
